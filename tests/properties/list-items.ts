// The records with which lists are tested: they differ in all that lists select, filter or order by.
import type { FieldFacts } from './facts.js';
import { checkedByModule } from './modules.js';
import { fieldsOf, isUpload, listsOf, type Parameter, parametersOf } from './reading.js';
import { type HeldRights, isPrincipal } from './rights.js';
import { mark, type Person, type SentParameters } from './service.js';
import { isAlone, uniqueSets, varied } from './supply.js';
import type { PropertyTrial } from './trial.js';
import { numbered, sample, taken } from './values.js';

export interface FilledList {
  readonly parent: HeldRights;
  readonly items: readonly HeldRights[];
  readonly holder: Person;
}

/** A new parent with items that differ in all that lists select, filter and order by. */
export async function fill(trial: PropertyTrial, by: string): Promise<FilledList | null> {
  const { world, facts } = trial;
  const column = `${by}_id`;
  const to = facts.fields[by]?.to;
  const parameter = parametersOf(facts).find(({ name }) => name === column);
  const holder = isPrincipal(world, to) ? await world.somebody('holder') : world.owner;
  if (parameter === undefined && holder === world.owner) {
    trial.untested(`lists by ${column}`, 'callers do not set it');
    return null;
  }
  const parent =
    parameter === undefined || (isPrincipal(world, to) && facts.fields[by]?.place)
      ? world.record(to ?? '', holder.id)
      : await world.target(parameter, holder);
  if (parent === undefined) return null;
  const toParent =
    parameter === undefined || (isPrincipal(world, to) && facts.fields[by]?.place) ? {} : { [column]: parent.id };
  const existing = await world.madeWith(parent);
  const items = existing.filter(({ resource, values }) => resource === facts.resource && values[column] === parent.id);
  for (const more of differing(trial).slice(0, isOnce(trial, by) ? 1 : undefined)) {
    items.push(
      await world.make(facts.resource, holder, { ...toParent, ...more, ...(await beside(trial, by, holder)) }),
    );
  }
  return { parent, items, holder };
}

/** For each set of fields that is unique together with the reference, the field that differs in each item. */
function variedBeside({ world, facts }: PropertyTrial, by: string): readonly (string | null)[] {
  const sets = uniqueSets(facts).filter(({ fields }) => fields.includes(by));
  return sets.map(({ fields }) =>
    varied(
      world,
      facts,
      fields.filter((field) => field !== by),
    ),
  );
}

/** Whether no two items can be in one list. */
export function isOnce(trial: PropertyTrial, by: string): boolean {
  return variedBeside(trial, by).includes(null);
}

/** Parameters that have to differ in each item of one list. */
export async function beside(trial: PropertyTrial, by: string, holder: Person): Promise<SentParameters> {
  const { world, facts } = trial;
  const fields = new Set(variedBeside(trial, by));
  const values: Record<string, unknown> = {};
  for (const other of parametersOf(facts).filter(({ field, role }) => fields.has(field) && role !== 'proof')) {
    values[other.name] = other.role === 'value' ? sample(other.facts, mark()) : (await world.target(other, holder)).id;
  }
  return values;
}

/** Parameters by which each item differs from the others. */
function differing(trial: PropertyTrial): readonly SentParameters[] {
  const { facts } = trial;
  const used = new Set([
    ...listsOf(facts).flatMap(({ where }) => Object.keys(where)),
    ...Object.entries(fieldsOf(facts)).flatMap(([name, { filter }]) => (filter ? [name] : [])),
    ...(facts.order ?? []).map((term) => term.replace(/^-/, '')),
    ...parametersOf(facts).flatMap((one) => (isPlain(trial, one) ? [one.field] : [])),
  ]);
  const fields = [...used].flatMap((name) => {
    const field = fieldsOf(facts)[name];
    const plain = field !== undefined && field.kind !== 'reference' && field.kind !== 'computed' && !isUpload(field);
    const free = plain && !isAlone(trial.world, facts, name);
    return free && !field.read_only && field.from === undefined ? [[name, choices(field)] as const] : [];
  });
  const count = Math.max(3, ...fields.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[at % values.length]])),
  );
}

/** Whether lists can be ordered by the parameter, and every caller can send any value of it. */
function isPlain({ world, facts }: PropertyTrial, { name, field, role, facts: words }: Parameter): boolean {
  const free = words.set === undefined && checkedByModule(facts, name) === null && !isAlone(world, facts, field);
  return role === 'value' && words.kind !== 'json' && words.kind !== 'password' && free;
}

/** Values of a field, deliberately unsorted. */
function choices(field: FieldFacts): readonly unknown[] {
  if (field.kind === 'text')
    return ['Meadow', 'Alder', 'Zinc', 'alder'].map((word) =>
      word.padEnd(field.min ?? 0, 'x').slice(0, field.max ?? 9),
    );
  if (field.kind === 'integer' && field.values === undefined) return [2, 0, 1].map((at) => numbered(field, at));
  return taken(field);
}
