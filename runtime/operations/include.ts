// Related objects (D21) and relationships (D22) of one record, as JSON members to splice into its text.

import type { Lookup, RequestedRelations } from '../store/records.js';
import type { Relation } from '../store/relations.js';
import type { Call, Parameters } from './call.js';
import type { Plan } from './plan.js';

const NO: ReadonlySet<unknown> = new Set([undefined, null, false, 0, '', '0', 'false', 'False']);
const YES: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'True']);

export function isRequested(value: unknown): boolean {
  return !NO.has(value);
}

/** What the fetch parameters ask for; null: nothing. Names that are not relations, or out of a token's reach, are ignored. */
export function requestedRelations(
  parameters: Parameters,
  { relations }: Plan,
  mayInclude: (to: string) => boolean,
): RequestedRelations | null {
  const objects = requestedObjects(parameters._include_related_objects, relations, mayInclude);
  const links = isRequested(parameters._include_relationships);
  return objects.length === 0 && !links ? null : { objects, links };
}

type FoundRecord = Extract<Lookup, { found: true }>;

/** The members `"<relation>":<record>` and `"_relationships":{...}`. */
export function membersOf(
  record: FoundRecord,
  want: RequestedRelations,
  { call, plan }: { call: Call; plan: Plan },
): readonly string[] {
  const members = record.objects.map(({ name, text }) => `${JSON.stringify(name)}:${text}`);
  return want.links ? [...members, `"_relationships":${relationships(record, call, plan)}`] : members;
}

function requestedObjects(
  value: unknown,
  relations: readonly Relation[],
  mayInclude: (to: string) => boolean,
): readonly string[] {
  if (NO.has(value)) return [];
  const names = (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === 'string' ? one.split(',').map((name) => name.trim()) : [one],
  );
  const all = names.some((name) => YES.has(name));
  return relations
    .filter(({ name, described, to }) => !described && (all || names.includes(name)) && mayInclude(to))
    .map(({ name }) => name);
}

function relationships({ links }: FoundRecord, { definition, id }: Call, plan: Plan): string {
  const self = `/api/${definition.name}/${id}`;
  const paths = new Map([['self', self]]);
  for (const { name, to } of plan.relations) {
    const target = links[name];
    if (target !== undefined) paths.set(name, `/api/${to}/${target}`);
  }
  const uses = definition.upload?.uses;
  for (const name of [...plan.lists.keys(), ...(uses === undefined ? [] : [uses])]) paths.set(name, `${self}/${name}`);
  return JSON.stringify(Object.fromEntries(paths));
}
