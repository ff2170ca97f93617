// Lists of the service for tests: parents with items in them, and pages of those items.

import { unique } from '../document/behind.js';
import { parameters } from '../document/parameters.js';
import type { RecordName } from '../document/table.js';
import { ignored } from './replies.js';
import type { SentParameters, ShownRecord, World } from './world.js';

export interface Listing {
  readonly parent: RecordName;
  readonly list: string;
  readonly items: RecordName;
}
export interface ListResponse {
  readonly paging: SentParameters;
  readonly items: readonly ShownRecord[];
}
/** A page as the session sees it, by default the owner's. */
export async function listed(
  world: World,
  path: string,
  session: string | null = world.owner.session,
): Promise<ListResponse> {
  const reply = await world.send('GET', path, { session });
  expect([path, reply.status, ignored(reply)]).toEqual([path, 200, []]);
  return reply.body as ListResponse;
}

/** Follows the cursor from the first page to the last. */
export async function byCursor(world: World, path: string): Promise<readonly ShownRecord[]> {
  const shown: ShownRecord[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const { items, paging } = await listed(world, cursor === '' ? path : `${path}&_cursor=${cursor}`);
    shown.push(...items);
    cursor = paging.next_cursor;
  }
  return shown;
}

/** Parameter of the items that holds the parent's id. */
const referring = ({ parent, items }: Listing) =>
  Object.entries(parameters[items].references).find(([, { to }]) => to === parent)?.[0] ?? '';

/** A new parent with so many items, in the order of their creation. */
export async function filled(world: World, listing: Listing, count: number) {
  const { items } = listing;
  const parent = await world.make(listing.parent);
  const parameter = referring(listing);
  // Items that may occur only once per parent need another target each time.
  const others = (unique[items]?.[0] ?? []).map((word) => `${word}_id`).filter((other) => other !== parameter);
  const made: ShownRecord[] = [];
  while (made.length < count) {
    const fresh = others.map(async (other) => [other, (await world.make(toOf(items, other))).id] as const);
    const more = Object.fromEntries(await Promise.all(fresh));
    made.push(await world.make(items, { ...more, [parameter]: parent.id }));
  }
  return { path: `/api/${listing.parent}/${parent.id}/${listing.list}`, parent, made };
}

/** The target of the reference. */
export function toOf(name: RecordName, parameter: string): RecordName {
  const reference = parameters[name].references[parameter];
  if (reference === undefined) throw new Error(`${name} has no reference ${parameter}`);
  return reference.to;
}
