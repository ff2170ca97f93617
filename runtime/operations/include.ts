// Related objects (D21) and relationships (D22) of one record, as JSON members to splice into its text.
import type { Store } from '../store/store.js';
import type { Call, Parameters } from './call.js';
import type { Plan, Relation } from './plan.js';

export interface Wanted {
  /** Relations whose records are to be included. */
  readonly objects: readonly Relation[];
  readonly relationships: boolean;
}

interface Request {
  readonly call: Call;
  readonly plan: Plan;
  readonly wanted: Wanted;
}

const NO: ReadonlySet<unknown> = new Set([undefined, null, false, 0, '', '0', 'false', 'False']);
const YES: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'True']);

/** What the fetch parameters ask for; null: nothing. Names that are no relation are passed over. */
export function wantedOf(parameters: Parameters, { relations }: Plan): Wanted | null {
  const objects = objectsWanted(parameters._include_related_objects, relations);
  const relationships = !NO.has(parameters._include_relationships);
  return objects.length === 0 && !relationships ? null : { objects, relationships };
}

/** The members `"<relation>":<record>` and `"_relationships":{...}`; relations hidden from the caller are left out. */
export async function included(store: Store, request: Request): Promise<readonly string[]> {
  const members: string[] = [];
  if (request.wanted.objects.length > 0) members.push(...(await relatedMembers(store, request)));
  if (request.wanted.relationships) members.push(`"_relationships":${await relationships(store, request)}`);
  return members;
}

function objectsWanted(value: unknown, relations: readonly Relation[]): readonly Relation[] {
  if (NO.has(value)) return [];
  const names = (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === 'string' ? one.split(',').map((name) => name.trim()) : [one],
  );
  const all = names.some((name) => YES.has(name));
  return relations.filter(({ name, described }) => !described && (all || names.includes(name)));
}

async function relatedMembers(store: Store, { call, wanted }: Request): Promise<readonly string[]> {
  const shown = await visible(store, call, wanted.objects);
  if (shown.length === 0) return [];
  const names = shown.map(({ name }) => name);
  const related = await store.related(call.definition, call.id, names, call.caller);
  return related.flatMap(({ name, text }) => (text === null ? [] : [`${JSON.stringify(name)}:${text}`]));
}

async function relationships(store: Store, { call, plan }: Request): Promise<string> {
  const { definition, id } = call;
  const self = `/api/${definition.name}/${id}`;
  const paths = new Map([['self', self]]);
  const shown = await visible(store, call, plan.relations);
  const links = shown.length === 0 ? {} : await store.links(definition, id);
  for (const { name, to } of shown) {
    const target = links[name];
    if (target !== null && target !== undefined) paths.set(name, `/api/${to}/${target}`);
  }
  for (const name of plan.lists.keys()) paths.set(name, `${self}/${name}`);
  return JSON.stringify(Object.fromEntries(paths));
}

/** The relations that the caller may know of: a reference with a view of its own takes the right of that view. */
async function visible(store: Store, call: Call, relations: readonly Relation[]): Promise<readonly Relation[]> {
  const shown: Relation[] = [];
  for (const relation of relations) {
    if (relation.view === null || (await holds(store, call, relation.view))) shown.push(relation);
  }
  return shown;
}

// `created` belongs to the answer of the create alone, `nobody` to no one.
async function holds(store: Store, { definition, id, caller }: Call, view: string): Promise<boolean> {
  if (view === 'created' || view === 'nobody') return false;
  return (await store.may(definition, id, view, caller)).allowed;
}
