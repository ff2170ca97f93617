// What to send for each parameter of a valid record: a value, or the id of a record that is created for it.
import type { Facts, FieldFacts } from './facts.js';
import type { Parameter } from './reading.js';
import { holds, isPrincipal, type KnownRecord } from './rights.js';
import { mark, type Person, type SentParameters } from './service.js';
import { sample } from './values.js';
import { FILES, missing, type World } from './world.js';

/** Media types that a field of files accepts and of which there is a sample. */
export function acceptedBy({ project }: World, types: readonly string[] | undefined, kind: string): readonly string[] {
  return types ?? (kind === 'image' ? project.imageTypes : Object.keys(FILES));
}

/** The right that naming a record requires (D16). */
export function needOf(known: KnownRecord, { facts: field }: Parameter): string {
  const need = field.need ?? (field.place ? 'edit' : 'use');
  return need === 'use' && known.facts(field.to ?? '').access.use === undefined ? 'edit' : need;
}

export function maySend(world: World, person: Person, parameter: Parameter, id: unknown): boolean {
  if (id === undefined || id === null) return true;
  if (parameter.facts.set === 'admin') return person.admin;
  if (parameter.role !== 'reference') return true;
  const target = world.record(parameter.facts.to ?? '', id);
  const need = needOf(world, parameter);
  return need === 'exists' || (target !== undefined && holds(world, person, need, target));
}

/** The parameter that names the owner, for a create by somebody else. */
export function ownedBy(world: World, { fields }: Facts, holder: Person): SentParameters {
  const place = Object.entries(fields).find(
    ([, { place, to, read_only }]) => place && !read_only && isPrincipal(world, to),
  );
  return place === undefined ? {} : { [`${place[0]}_id`]: holder.id };
}

/** Whether a test sets the parameter of its own accord when it is optional. */
export function isFree(world: World, { facts: field, role }: Parameter): boolean {
  if (field.set !== undefined) return false;
  return role !== 'reference' || !(field.place && isPrincipal(world, field.to));
}

/** Whether the parameter is optional, but no two records may have its default. */
export function hasToDiffer(
  world: World,
  facts: Facts,
  { field, facts: { default: defaultValue } }: Parameter,
): boolean {
  return defaultValue !== undefined && isAlone(world, facts, field);
}

export async function valueFor(world: World, facts: Facts, parameter: Parameter, holder: Person): Promise<unknown> {
  const { name, field, role, facts: said } = parameter;
  const alone = isAlone(world, facts, field);
  if (role === 'value') return withIds(world, sample(said, alone ? mark() : ''), holder);
  if (role === 'proof') return true;
  if (role === 'upload' || alone) return (await world.target(parameter, holder)).id;
  const to = said.to ?? missing(name);
  if (isPrincipal(world, to)) return said.place ? holder.id : (await world.somebody('spare')).id;
  return (await world.home(to, holder)).id;
}

/** Sets of fields in which no two records may have the same values, perhaps only among those that meet a condition. */
export function uniqueSets({ fields, unique = [] }: Facts): NonNullable<Facts['unique']> {
  const alone = Object.keys(fields).filter((name) => fields[name]?.unique);
  return [...alone.map((name) => ({ fields: [name] })), ...unique];
}

/** Whether the field has to differ in each record: one field does in each set that is unique together. */
export function isAlone(known: KnownRecord, facts: Facts, name: string): boolean {
  return uniqueSets(facts).some(({ fields }) => varied(known, facts, fields) === name);
}

/** Whether only a few records can differ in what has to be unique. */
export function isScarce(known: KnownRecord, facts: Facts): boolean {
  return uniqueSets(facts).some(({ fields }) => varied(known, facts, fields) === null);
}

/** Whether an action of a scarce resource may make two records equal, as it sets fields of a unique set. */
export function mayMeet(known: KnownRecord, facts: Facts, action: string): boolean {
  const { sets, undo } = facts.actions[action] ?? {};
  const touched = Object.keys({ ...sets, ...undo });
  const scarce = uniqueSets(facts).filter(({ fields }) => varied(known, facts, fields) === null);
  return scarce.some(({ fields, where = {} }) => touched.some((name) => fields.includes(name) || name in where));
}

/** The field that differs in each record, a text if possible; null: no field has enough values. */
export function varied(known: KnownRecord, { fields }: Facts, together: readonly string[]): string | null {
  const weighed = together.map((name) => [weightOf(known, fields[name]), name] as const);
  const [least] = weighed.filter(([weight]) => weight !== null).sort(([a], [b]) => Number(a) - Number(b));
  return least?.[1] ?? null;
}

/** More values than a test needs. */
const PLENTY = 1_000_000;

/** How unsuitable a field is for differing; null: it has too few values. */
function weightOf(known: KnownRecord, field: FieldFacts | undefined): number | null {
  if (field === undefined || field.read_only || field.from !== undefined) return null;
  const { kind, to, values, place, set } = field;
  // The owner of a record stays the same for one holder; flags and choices have few values.
  if ((isPrincipal(known, to) && place) || values !== undefined || kind === 'enum' || kind === 'boolean') return null;
  const cost = set === undefined ? 0 : 10;
  if (kind === 'text') return (field.max ?? PLENTY) < 5 ? null : cost;
  if (kind === 'url') return cost;
  if (kind === 'reference') return cost + (isPrincipal(known, to) ? 1 : 2);
  if (kind === 'file' || kind === 'image') return cost + 2;
  const { min = 0, max = min + PLENTY } = field;
  return kind === 'date' || kind === 'day' || max - min >= PLENTY ? cost + 3 : null;
}

/** JSON in which each `<resource>_id` is the id of a record of the holder. */
export async function withIds(world: World, value: unknown, holder: Person): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => withIds(world, one, holder)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, inner]) => {
    const named = world.project.resources.find(({ resource }) => key === `${resource}_id`);
    return [
      key,
      named === undefined ? await withIds(world, inner, holder) : (await world.home(named.resource, holder)).id,
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
