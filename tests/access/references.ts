// Ids of somebody else's records in every reference parameter, on create and on update, by everybody who might try.
import type { Resource } from '../../generator/model/model.js';
import { PNG } from '../files/samples.js';
import type { Question } from './ask.js';
import type { ExpectedReference } from './expected.js';
import type { Probe } from './findings.js';
import { type Holder, roleOf } from './people.js';
import type { Matrix } from './reads.js';
import { acceptable, changeOf, heldFor, identifies, parametersOf, usedOf } from './values.js';

/** The holder whose record `by` creates or changes, and the holder whose target it then names. */
interface Case {
  readonly by: 'stranger' | 'associate' | 'owner' | 'administrator';
  readonly base: Holder;
  readonly target: Holder;
}

const CASES: readonly Case[] = [
  { by: 'stranger', base: 'stranger', target: 'owner' },
  { by: 'owner', base: 'owner', target: 'stranger' },
  { by: 'associate', base: 'owner', target: 'stranger' },
  // The associate may not use the owner's records elsewhere, and the other way round.
  { by: 'associate', base: 'owner', target: 'owner' },
  { by: 'associate', base: 'owner', target: 'associate' },
  { by: 'associate', base: 'associate', target: 'owner' },
  { by: 'administrator', base: 'owner', target: 'stranger' },
];

interface Try extends Case {
  readonly resource: Resource;
  readonly column: string;
  readonly operation: 'create' | 'update';
}

/** @param accepted selects the tries that must be accepted, whose effects stay, or those that must be refused */
export function foreignReferences(matrix: Matrix, accepted: boolean): readonly Probe[] {
  const tries = matrix.world.model.resources.flatMap((resource) =>
    Object.keys(matrix.expected(resource.name).references).flatMap((column) =>
      CASES.flatMap((each) =>
        (['create', 'update'] as const).map((operation): Try => ({ ...each, resource, column, operation })),
      ),
    ),
  );
  return tries
    .map((each) => ({ each, outcome: outcomeOf(matrix, each) }))
    .filter(({ outcome }) => outcome !== null && (outcome === 'ok') === accepted)
    .flatMap(({ each, outcome }) => {
      const target = targetOf(matrix, each);
      return target === undefined ? [] : [probeOf(matrix, { ...each, outcome: outcome ?? 'ok', value: target })];
    });
}

/** Null: `by` may not do the operation at all, which other probes cover. */
function outcomeOf({ expected }: Matrix, { resource, column, operation, by, base, target }: Try): string | null {
  const { operations, references } = expected(resource.name);
  const reference = references[column] as ExpectedReference;
  if (operations[operation][roleOf(by, base)] !== 'ok') return null;
  const { update } = expected(reference.to).operations;
  const edits = reference.to === 'user' && by === target ? true : update[roleOf(by, target)] === 'ok';
  if (by !== 'administrator' && reference.need !== 'exists' && !edits) {
    return expected(reference.to).hidden ? 'reference_not_found' : 'forbidden';
  }
  if (reference.ownersAlone && base !== target) return 'forbidden';
  // On create, the reference that decides the owner has nobody to differ from.
  const differs =
    base !== target && (operation === 'update' ? reference.oneOwner !== null : reference.oneOwner === 'always');
  return differs ? 'conflict' : 'ok';
}

/** A record of `target` other than the one that is named already; undefined: there is none. */
function targetOf({ world }: Matrix, { resource, column, base, target }: Try): string | undefined {
  const reference = resource.references.find((each) => each.column === column);
  if (reference === undefined) return undefined;
  const { accepts, to, need } = reference;
  if (to === 'user') return need === 'exists' ? world.source(target).spare(to) : world.people[target].user;
  if (identifies(world.model, reference)) return world.source(target).spare(to);
  const held = heldFor(reference, world.source(base));
  const only = accepts === undefined ? to : acceptable(to, accepts);
  const fit = only === to ? [to, `${to} download`] : [only];
  return fit
    .map((key) => world.holdings[target][key])
    .find((id) => id !== undefined && (target !== base || id !== held));
}

interface ProbedTry extends Try {
  readonly outcome: string;
  readonly value: string;
}

function probeOf(matrix: Matrix, probed: ProbedTry): Probe {
  const { world, findings } = matrix;
  const { resource, column, operation, by, base, target, outcome, value } = probed;
  return async () => {
    const ask: Question = {
      resource: resource.name,
      operation,
      parameters: { ...basis(matrix, probed), [column]: value },
      ...(operation === 'update' ? { id: world.holdings[base][resource.name] ?? '' } : {}),
      ...(operation === 'create' && resource.upload !== null ? { bytes: PNG } : {}),
    };
    const { code, fields } = await world.ask(world.people[by], ask);
    const probe = `${operation} ${resource.name} of ${base} with ${column} of ${target} by ${by}`;
    findings.outcome(probe, outcome, code);
    if (code === outcome && code !== 'ok') findings.given(probe, fields.includes(column), `${column} is not blamed`);
  };
}

/** The other parameters, which name no records of other people. */
function basis({ world }: Matrix, { resource, operation, by, base }: Try): Record<string, unknown> {
  if (operation === 'update') return changeOf(resource, world.source(base));
  const parameters = parametersOf(resource, world.source(base), 'required');
  const place = resource.references.find((reference) => reference.place);
  // A create for somebody else names the owner.
  if (place !== undefined && by !== base && place.to === 'user') parameters[place.column] = world.people[base].user;
  return { ...parameters, ...(by === 'administrator' ? {} : usedOf(resource, parameters, world.source(by))) };
}
