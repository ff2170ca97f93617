// What to send for each parameter of a valid record: a value, or the id of a record that is made for it. Facts in, values out.
import type { Facts } from './facts.js';
import type { Parameter } from './reading.js';
import { holds, isPrincipal, type Known } from './rights.js';
import { mark, type Person, type Sent } from './service.js';
import { sample } from './values.js';
import { FILES, missing, type World } from './world.js';

/** Media types that a field of files takes; those of which there is a sample. */
export function acceptedBy({ project }: World, types: readonly string[] | undefined, kind: string): readonly string[] {
  return types ?? (kind === 'image' ? project.imageTypes : Object.keys(FILES));
}

/** The right that naming a record takes (D16). */
export function needOf(known: Known, { facts: field }: Parameter): 'exists' | 'use' | 'edit' {
  const need = field.need ?? (field.place ? 'edit' : 'use');
  return need === 'use' && known.facts(field.to ?? '').access.use === undefined ? 'edit' : need;
}

export function mayName(world: World, person: Person, parameter: Parameter, id: unknown): boolean {
  if (parameter.role !== 'reference' || id === undefined || id === null) return true;
  const target = world.record(parameter.facts.to ?? '', id);
  const need = needOf(world, parameter);
  return need === 'exists' || (target !== undefined && holds(world, person, need, target));
}

/** Where the place is the user and the maker somebody else. */
export function ownedBy(world: World, { fields }: Facts, holder: Person): Sent {
  const found = Object.entries(fields).find(
    ([, { place, to, read_only }]) => place && !read_only && isPrincipal(world, to),
  );
  return found === undefined ? {} : { [`${found[0]}_id`]: holder.id };
}

/** Optional parameters that a test sets on its own account. */
export function isFree(world: World, { facts: field, role }: Parameter): boolean {
  if (field.set !== undefined) return false;
  return role !== 'reference' || !(field.place && isPrincipal(world, field.to));
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

/** Whether the field has to be another one in each record: one of each set that is unique together, a text if possible. */
export function isAlone(world: World, { fields, unique = [] }: Facts, name: string): boolean {
  if (fields[name]?.unique) return true;
  return unique.some((together) => {
    const weight = (field: string) => {
      const { kind = '', to, values, place } = fields[field] ?? {};
      if (kind === 'text' || kind === 'url') return 0;
      // Whose a record is stays the same for one holder.
      if (isPrincipal(world, to)) return place ? 5 : 1;
      if (kind === 'reference' || kind === 'file' || kind === 'image') return 2;
      // A number may have too few values, a flag and a choice always have.
      return values === undefined && ['integer', 'decimal', 'date'].includes(kind) ? 3 : 4;
    };
    return [...together].sort((a, b) => weight(a) - weight(b))[0] === name;
  });
}

/** JSON in which `<resource>_id` is the id of a record of the holder's. */
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
