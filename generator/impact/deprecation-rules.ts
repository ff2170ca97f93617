// New, changed and withdrawn deprecations: the dates of a resource, its fields and parameters (D38).

import type { Deprecation } from '../../runtime/contract/definition.js';
import type { Resource } from '../model/model.js';
import type { Draft } from './report.js';
import { CALLS_WITH_PARAMETERS, CALLS_WITH_RECORD, type Sides, shared } from './sides.js';

/** Never breaking: a deprecation is the notice that precedes the break. */
export function deprecationFindings(sides: Sides): readonly Draft[] {
  const [old, now] = [datesOf(sides.from.resource), datesOf(sides.to.resource)];
  const where = [...new Set(shared(sides, [...CALLS_WITH_PARAMETERS, ...CALLS_WITH_RECORD]))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [from, to] = [old.get(name) ?? null, now.get(name) ?? null];
    if (from === to || !exists(sides.to.resource, name)) return [];
    const { name: resource } = sides.to.resource;
    const message = to === null ? 'is no longer deprecated' : to;
    const place = `${resource} ${name}`;
    return [
      {
        part: 'api',
        rule: 'dates',
        class: 'safe',
        breaking: false,
        place,
        where,
        message: `${name || resource}: ${message}`,
        from,
        to,
      } as const,
    ];
  });
}

function datesOf({ deprecations, properties }: Resource): ReadonlyMap<string, string> {
  const ofProperties = properties.flatMap(({ name, deprecation }) =>
    deprecation === undefined ? [] : [[name, text(deprecation)] as const],
  );
  const nameOf = ({ names, field, value }: Deprecation) => (value === undefined ? names[0] : null) ?? field ?? '';
  return new Map([...ofProperties, ...deprecations.map((one) => [nameOf(one), text(one)] as const)]);
}

function exists({ parameters, properties, actions }: Resource, name: string): boolean {
  const all = [...parameters, ...properties, ...actions.flatMap((action) => action.parameters)];
  const values = parameters.flatMap(({ name: of, schema }) =>
    [schema.enum ?? []].flat().map((value) => `${of}=${value}`),
  );
  return name === '' || values.includes(name) || all.some((one) => one.name === name);
}

function text({ deprecated, sunset }: Pick<Deprecation, 'deprecated' | 'sunset'>): string {
  const since = deprecated === undefined ? [] : [`deprecated as of ${deprecated}`];
  return [...since, ...(sunset === undefined ? [] : [`to be removed on ${sunset}`])].join(', ');
}
