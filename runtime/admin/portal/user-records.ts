// Calls of the API as the user who is logged in, and lists of that user's records, for all pages of owners.

import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { Call } from '../../operations/call.js';
import type { RecordPage } from '../console/listing.js';
import type { Names } from '../console/names.js';
import type { PageRequest } from '../console/page.js';
import type { HookPages } from '../console/pages/hook-source.js';
import { callOf, nameOf, type Resources, readRecord, type ShownRecord } from '../console/resource.js';
import type { EventCatalogue } from './events.js';

export interface PortalSource {
  readonly resources: Resources;
  /** The resource of users. */
  readonly principal: AnyDefinition;
  /** The resource of web hooks. */
  readonly hook: AnyDefinition;
  /** The resource of API keys. */
  readonly key: AnyDefinition;
  readonly hooks: HookPages['hooks'];
  readonly events: EventCatalogue;
}

export const BASE = '/portal';

/** A call of the API as the user: it has no operator's rights, and the audit log leaves it out. */
export function callAsUser(
  definition: AnyDefinition,
  request: PageRequest,
  more: Parameters<typeof callOf>[2] = {},
): Call {
  return { ...callOf(definition, request, more), caller: request.operator.caller };
}

export interface UserRecords {
  readonly items: readonly ShownRecord[];
  /** The cursor of the next page; null: there is none. */
  readonly next: string | null;
}

/** The user's records of a resource, from its list below users; null: there is no such list. */
export async function listUserRecords(
  { resources, principal }: PortalSource,
  definition: AnyDefinition,
  request: PageRequest,
  after: unknown = '',
): Promise<UserRecords | null> {
  const list = definition.lists.find(
    ({ parent, where }) => parent === principal.name && Object.keys(where).length === 0,
  );
  if (list === undefined) return null;
  const cursor = typeof after === 'string' && after !== '' ? { _cursor: after } : {};
  const parameters = { _items_per_page: PAGE_SIZE, ...cursor };
  const call = callAsUser(principal, request, { id: request.operator.caller.user, name: list.name, parameters });
  // The module that serves a resource may have its own list operation.
  const { body } = await resources.operationsOf(definition).list(call);
  const { paging, items } = JSON.parse(body) as RecordPage;
  return { items, next: paging.next_cursor };
}

/** Records per page. */
const PAGE_SIZE = 100;

/** The name of a record, or its id if the user may not read it. */
export async function nameById(
  { resources }: PortalSource,
  definition: AnyDefinition,
  request: PageRequest,
  id: string,
): Promise<string> {
  try {
    return nameOf(definition, await readRecord(resources, callAsUser(definition, request, { id })));
  } catch (thrown) {
    if (thrown instanceof ServiceError) return id;
    throw thrown;
  }
}

/** The names of records that the user may read. */
export function createUserNames(source: PortalSource, request: PageRequest): Names {
  return async (wanted) => {
    const read = [...wanted].map(async ([resource, id]) => {
      const definition = source.resources.find(resource);
      if (definition === undefined || typeof id !== 'string' || id === '') return [];
      return [[`${resource} ${id}`, await nameById(source, definition, request, id)] as const];
    });
    const names = new Map((await Promise.all(read)).flat());
    return (resource, id) => names.get(`${resource} ${id}`) ?? null;
  };
}
