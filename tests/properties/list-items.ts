// The records that lists are tried with: they differ in whatever a list chooses, filters or orders by.
import type { FieldFacts } from './facts.js';
import { judgedByModule } from './modules.js';
import { fieldsOf, isUpload, listsOf, type Parameter, parametersOf } from './reading.js';
import { type Held, isPrincipal } from './rights.js';
import type { Person, Sent } from './service.js';
import { isAlone } from './supply.js';
import type { Trial } from './trial.js';
import { taken } from './values.js';

export interface Filled {
  readonly parent: Held;
  readonly items: readonly Held[];
  readonly holder: Person;
}

/** A parent of its own with items that differ in what lists choose, filter and order by. */
export async function fill(trial: Trial, by: string): Promise<Filled | null> {
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
  const own =
    parameter === undefined || (isPrincipal(world, to) && facts.fields[by]?.place) ? {} : { [column]: parent.id };
  const items: Held[] = [];
  for (const more of differing(trial)) {
    items.push(await world.make(facts.resource, holder, { ...own, ...(await beside(trial, by, holder)), ...more }));
  }
  return { parent, items, holder };
}

/** What is unique together with the reference is another in each item. */
async function beside({ world, facts }: Trial, by: string, holder: Person): Promise<Sent> {
  const fields = new Set((facts.unique ?? []).filter((together) => together.includes(by)).flat());
  fields.delete(by);
  const others = parametersOf(facts).filter(({ field, role }) => fields.has(field) && role === 'reference');
  const targets = others.map(async (other) => [other.name, (await world.target(other, holder)).id] as const);
  return Object.fromEntries(await Promise.all(targets));
}

/** Parameters by which each item differs from the others. */
function differing(trial: Trial): readonly Sent[] {
  const { facts } = trial;
  const used = new Set([
    ...listsOf(facts).flatMap(({ where }) => Object.keys(where)),
    ...Object.entries(fieldsOf(facts)).flatMap(([name, { filter }]) => (filter ? [name] : [])),
    ...(facts.order ?? []),
    ...parametersOf(facts).flatMap((one) => (isPlain(trial, one) ? [one.field] : [])),
  ]);
  const fields = [...used].flatMap((name) => {
    const field = fieldsOf(facts)[name];
    const plain = field !== undefined && field.kind !== 'reference' && field.kind !== 'computed' && !isUpload(field);
    return plain && !field.read_only && field.from === undefined ? [[name, choices(field)] as const] : [];
  });
  const count = Math.max(3, ...fields.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[at % values.length]])),
  );
}

/** What lists can be ordered by, and anybody can send any value of. */
function isPlain({ world, facts }: Trial, { name, field, role, facts: words }: Parameter): boolean {
  const free = words.set === undefined && judgedByModule(facts, name) === null && !isAlone(world, facts, field);
  return role === 'value' && words.kind !== 'json' && words.kind !== 'password' && free;
}

/** Not in their order. */
function choices(field: FieldFacts): readonly unknown[] {
  if (field.kind === 'text')
    return ['Meadow', 'Alder', 'Zinc', 'alder'].map((word) =>
      word.padEnd(field.min ?? 0, 'x').slice(0, field.max ?? 9),
    );
  if (field.kind === 'integer' && field.values === undefined) return [2, 0, 1].map((step) => (field.min ?? 5) + step);
  return taken(field);
}
