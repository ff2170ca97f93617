// A random catalogue of a random project: its attributes, and the keys of resources and identities for its rows.
import { type Chance, chanceOf } from '../support/chance.js';
import type { Resource } from './domain.js';
import { Names } from './names.js';

type Keys = Readonly<Record<string, unknown>>;

/** Attributes, each with a valid value. */
const ATTRIBUTES: readonly (readonly [field: unknown, value: unknown])[] = [
  ['boolean', true],
  [{ kind: 'boolean', default: true }, false],
  ['integer', 7],
  [{ kind: 'text', default: 'plain' }, 'Quotes \' " ` and \\ a backslash.'],
  [{ kind: 'json', default: [], schema: { type: 'array' } }, ['one', { two: 2 }]],
  [{ kind: 'decimal', default: 1.5 }, '2.25'],
  [{ kind: 'enum', values: ['one', 'two'], description: 'One of two.' }, 'two'],
  ['day', '2030-01-31'],
];

/** @param seed the catalogue has draws of its own, so that the rest of the project does not depend on it */
export function withCatalogue(
  seed: number,
  resources: readonly Resource[],
): { readonly shared: Keys; readonly resources: readonly Resource[] } {
  const chance = chanceOf(seed ^ 0x5eed);
  if (chance.happens(0.5)) return { shared: {}, resources };
  const names = new Names(chance);
  const drawn = ATTRIBUTES.filter(() => chance.happens(0.4)).map((attribute) => [names.field(), ...attribute] as const);
  const attributes = Object.fromEntries(drawn.map(([name, field]) => [name, field]));
  const values = new Map(drawn.map(([name, , value]) => [name, value]));
  if (chance.happens(0.2)) {
    attributes.finished_inches = 'json';
    values.set('finished_inches', [1, 2, 3]);
  }
  const taken = new Set<string>();
  const listed = resources.map((resource) => {
    const { identities } = resource.keys as { readonly identities?: object };
    const listedNames =
      identities === undefined ? [] : Array.isArray(identities) ? identities : Object.keys(identities);
    if (listedNames.length === 0 || listedNames.some((name) => taken.has(name)) || chance.happens(0.2)) return resource;
    for (const name of listedNames) taken.add(name);
    return { ...resource, keys: { ...resource.keys, extends: 'listed', ...rows(chance, values, identities) } };
  });
  const catalogue = { path: chance.one(['/things', '/api/shop/things']), of: 'listed', attributes };
  return { shared: { conventions: { listed: {} }, catalogue }, resources: listed };
}

function rows(chance: Chance, values: ReadonlyMap<string, unknown>, identities: object | undefined): Keys {
  const some = () => Object.fromEntries([...values].filter(() => chance.happens(0.4)));
  const title = chance.one([undefined, '{words} Set', '{words} ({digits} of them)', '<b>{digits}</b>']);
  const identityNames = Array.isArray(identities)
    ? identities
    : Object.fromEntries(
        Object.entries(identities ?? {}).map(([identity, keys]) => [
          identity,
          {
            ...(typeof keys === 'string' ? { size: keys } : keys),
            ...(chance.happens(0.5) ? { catalogue: chance.happens(0.3) ? false : some() } : {}),
            ...(chance.happens(0.2) ? { deprecated: '2030-01-31' } : {}),
          },
        ]),
      );
  return {
    identities: identityNames,
    ...(chance.happens(0.7) ? { catalogue: { ...some(), ...(title === undefined ? {} : { title }) } } : {}),
  };
}
