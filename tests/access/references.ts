// Ids of somebody else's records in every reference parameter, on create and on update, by everybody who might try.
import type { Resource } from '../../generator/model/model.js';
import { PNG } from '../files/samples.js';
import type { Question } from './ask.js';
import type { ExpectedReference } from './expected.js';
import type { Probe } from './findings.js';
import { type Holder, roleOf } from './people.js';
import type { Matrix } from './reads.js';
import { acceptable, changeOf, heldFor, identifies, parametersOf, usedOf } from './values.js';

/** Whose record `by` makes or changes, and whose target it then names. */
interface Case {
  readonly by: 'stranger' | 'associate' | 'owner' | 'administrator';
  readonly base: Holder;
  readonly target: Holder;
}

const CASES: readonly Case[] = [
  { by: 'stranger', base: 'stranger', target: 'owner' },
  { by: 'owner', base: 'owner', target: 'stranger' },
  { by: 'associate', base: 'owner', target: 'stranger' },
  // What is the owner's is not the associate's to use elsewhere, and the other way round.
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

/** @param accepted those that must be accepted, or those that must not. Whatever is accepted is undone by nobody. */
export function foreignReferences(matrix: Matrix, accepted: boolean): readonly Probe[] {
  const tries = matrix.world.model.resources.flatMap((resource) =>
    Object.keys(matrix.expected(resource.name).references).flatMap((column) =>
      CASES.flatMap((one) =>
        (['create', 'update'] as const).map((operation): Try => ({ ...one, resource, column, operation })),
      ),
    ),
  );
  return tries
    .map((one) => ({ one, outcome: outcomeOf(matrix, one) }))
    .filter(({ outcome }) => outcome !== null && (outcome === 'ok') === accepted)
    .flatMap(({ one, outcome }) => {
      const target = targetOf(matrix, one);
      return target === undefined ? [] : [probeOf(matrix, { ...one, outcome: outcome ?? 'ok', value: target })];
    });
}

/** Null: `by` may not do the operation at all, which is looked at elsewhere. */
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

/** A record of the target's that is not the one already there; undefined: there is no other. */
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

function probeOf(matrix: Matrix, one: ProbedTry): Probe {
  const { world, findings } = matrix;
  const { resource, column, operation, by, base, target, outcome, value } = one;
  return async () => {
    const ask: Question = {
      resource: resource.name,
      operation,
      parameters: { ...basis(matrix, one), [column]: value },
      ...(operation === 'update' ? { id: world.holdings[base][resource.name] ?? '' } : {}),
      ...(operation === 'create' && resource.upload !== null ? { bytes: PNG } : {}),
    };
    const { code, fields } = await world.ask(world.people[by], ask);
    const probe = `${operation} ${resource.name} of ${base} with ${column} of ${target} by ${by}`;
    findings.outcome(probe, outcome, code);
    if (code === outcome && code !== 'ok') findings.given(probe, fields.includes(column), `${column} is not blamed`);
  };
}

/** What is sent beside the reference: nothing in it is somebody else's. */
function basis({ world }: Matrix, { resource, operation, by, base }: Try): Record<string, unknown> {
  if (operation === 'update') return changeOf(resource, world.source(base));
  const made = parametersOf(resource, world.source(base), 'required');
  const place = resource.references.find((reference) => reference.place);
  // A record that is not to be the caller's says whose it is.
  if (place !== undefined && by !== base && place.to === 'user') made[place.column] = world.people[base].user;
  return { ...made, ...(by === 'administrator' ? {} : usedOf(resource, made, world.source(by))) };
}
