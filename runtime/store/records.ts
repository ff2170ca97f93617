// The records of all resources as requests use them: one method per operation. A resource is identified by its name, so that
// arguments and results are plain data.

import type { Author } from '../contract/audit.js';
import type { Conditions } from '../contract/conditions.js';
import type { AnyDefinition, Input, Row, Scalar, Upload } from '../contract/definition.js';
import type { Failure, RefusalCode } from '../contract/errors.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { IdempotencyKey } from './idempotency.js';

/** The formats in which a wire profile shows dates (D05) and booleans (D06); each engine implements them. */
export interface WireFormats {
  /** `iso`: `2026-01-02T03:04:05.678Z`. `seconds`: `2026-01-02 03:04:05`. */
  readonly date: 'iso' | 'seconds';
  /** `boolean`: true and false. `number`: 1 and 0. */
  readonly boolean: 'boolean' | 'number';
  /**
   * True (D07): a record shows the name of its type and the rights of the session, and its allowed values on request; its
   * references have paths; and a caller who may not write gets the same refusal with and without a session.
   */
  readonly extras?: true;
}

/** The scope of an API key's token. */
export interface Scope {
  readonly writes: boolean;
  /** Names of the resources; null: all of them. */
  readonly resources: readonly string[] | null;
}

/** The caller. `user` is null for an anonymous caller; an administrator holds every right. */
export interface Caller {
  readonly user: string | null;
  readonly admin: boolean;
  /** The API key with which the session was opened, or whose token was sent; null or absent: none. */
  readonly apiKey?: string | null;
  /** The API version that the request names or its session or key remembers, or `newest` (D68); absent: none. */
  readonly version?: string;
  /** The scope of the token of an API key (D61); absent: everything that the user may do. */
  readonly scope?: Scope;
  /** The caller sent a token that is not valid. */
  readonly refused?: true;
  /** The `traceparent` of the request (W3C), which the callbacks of its events continue. */
  readonly trace?: string;
  /** The operator who makes the changes, which are recorded in the audit log (D51). */
  readonly author?: Author;
}

/**
 * Parameters that passed or failed validation, which also says which of them the caller may set; the engine adds the checks that
 * need the database (references, uniqueness).
 */
export interface Change {
  readonly resource: string;
  readonly caller: Caller;
  readonly input: Input;
  readonly failures: readonly Failure[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly upload: Upload | null;
  /** The hash of a new record's token; absent: none. */
  readonly token?: string;
  /** The id that the creator chose for a new record; absent: the engine draws one. */
  readonly id?: string;
  /** Makes a create happen once, however often it is sent (D50). */
  readonly idempotencyKey?: IdempotencyKey;
  /** Conditions of an update, checked in its transaction, after the right. */
  readonly conditions?: Conditions;
}

/** The deletion of a record. */
export interface Removal {
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly conditions?: Conditions;
}

/** Several creates of one resource, below one record: all or none. */
export interface Bulk {
  readonly resource: string;
  /** The record to which they belong, and which the caller must have the right to edit; this is checked before `failures`. */
  readonly parent: { readonly resource: string; readonly id: string };
  readonly changes: readonly Change[];
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Carried out once, however often it is sent (D50). */
  readonly idempotencyKey?: IdempotencyKey;
}

/** A declared action on one record, by its name. The record and the caller's right are checked before `failures`. */
export interface Action {
  readonly name: string;
  /** The hash of the renewed token. */
  readonly token?: string;
  readonly caller: Caller;
  readonly input: Input;
  readonly failures: readonly Failure[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Carried out once, however often it is sent (D50). */
  readonly idempotencyKey?: IdempotencyKey;
  readonly conditions?: Conditions;
}

/** The relations to read together with a record. */
export interface RequestedRelations {
  /** Relations whose records are included. */
  readonly objects: readonly string[];
  /** True: the ids of its relations are included. */
  readonly links: boolean;
}

/** A record as the JSON text of the response, or the reason why not. */
export type Lookup =
  | {
      readonly found: true;
      readonly text: string;
      readonly version: number;
      /** JSON texts of related records that are set and that the caller may read, in the order of the relations. */
      readonly objects: readonly RelatedRecord[];
      /** Ids by relation, without relations that are not set or that the caller may not see. */
      readonly links: Readonly<Record<string, string>>;
    }
  | Refusal;

/** Whether the caller holds a right on a record, or the reason why not. */
export type Permission = { readonly allowed: true } | ({ readonly allowed: false } & Pick<Refusal, 'code'>);

interface Refusal {
  readonly found: false;
  readonly code: RefusalCode;
}

export interface RelatedRecord {
  readonly name: string;
  readonly text: string;
}

export interface Page {
  /** Resource of the parent; null: the list of all records (D44). */
  readonly parent: string | null;
  /** Empty for the list of all records. */
  readonly list: string;
  /** Starts at 1. */
  readonly number: number;
  readonly size: number;
  /** Limit of the total size of the items: a larger page holds fewer, but at least one, and the cursor continues after them. */
  readonly maxBytes: number;
  /** Terms separated by commas, such as `-date_created,name`; null: the declared order. */
  readonly orderBy: string | null;
  /** True: the order is reversed. */
  readonly descending: boolean;
  /** The opaque cursor of an earlier response; null: by page number. */
  readonly cursor: string | null;
  readonly filters: Readonly<Record<string, Scalar>>;
  /** For the list of all records: only records that match all of these words (D44), the longest first; absent: no search. */
  readonly words?: readonly string[];
}

export interface ListedPage {
  readonly items: readonly string[];
  readonly total: number;
  /** False: there may be more than `total`, and the page may hold fewer items than requested although a cursor follows. */
  readonly complete?: boolean;
  /** Continues after the last item; null at the end. */
  readonly cursor: string | null;
}

export interface RemovedCount {
  readonly resource: string;
  readonly count: number;
}

/** A search by operators in the records of a resource. */
export interface Search {
  /** The beginning of a text, which also matches in lower case, in capitals, or with a capital first letter. */
  readonly text: string;
  /** The text columns to search; without an index, a bounded number of records is searched. */
  readonly columns: readonly string[];
  readonly limit: number;
}

export interface FoundRecords {
  readonly ids: readonly string[];
  /** False: not all records were searched. */
  readonly isComplete: boolean;
}

/** A record after a write. */
export interface WrittenRecord {
  readonly text: string;
  /** Absent in the stored answer of a server older than row versions. */
  readonly version?: number;
}

/** A new record as its creator sees it. */
export interface Created extends WrittenRecord {
  readonly id: string;
  /** The record existed, and was updated. */
  readonly existed?: true;
  /** The number of records of a copy. */
  readonly records?: number;
  /** An earlier request with the same idempotency key created the record, and nothing was written now. */
  readonly isReplay?: true;
}

/**
 * Writes return once they are durable.
 * Each method throws ServiceError: not_found, forbidden, login_required, conflict, not_unique, required, invalid,
 * reference_not_found, unsupported_file, precondition_failed, precondition_required, unavailable, storage_full.
 */
export interface Records {
  create(change: Change): MaybePromise<Created>;
  /** Creates records of one placement, all or none. Fields of failures start with the index of the change: `[3].name`. */
  createAll(bulk: Bulk): MaybePromise<readonly Created[]>;
  /** Returns the changed record as an editor sees it. */
  update(id: string, change: Change): MaybePromise<WrittenRecord>;
  /** Deletes a record and everything that is deleted with it (D33). */
  remove(resource: string, id: string, removal: Removal): MaybePromise<void>;
  /** Counts the records that `remove` deletes with the record, however deep, by resource; resources without any are omitted. */
  removedWith(resource: string, id: string): MaybePromise<readonly RemovedCount[]>;
  /**
   * Carries out an action in one transaction: the record must exist, and the caller must hold the right that the action
   * declares; its changes are written, with a new date_updated, and its events are published. Lifecycle functions do not run.
   * Returns the record as the caller sees it; a caller who may not read it is refused.
   */
  act(resource: string, id: string, action: Action): MaybePromise<WrittenRecord>;
  /**
   * Carries out an action that copies the record and the records that belong to it (D55): all or none, in one transaction and
   * on one shard. The right that the action declares includes the right to the copy. Lifecycle functions run as for creates.
   */
  copy(resource: string, id: string, action: Action): MaybePromise<Created>;
  /** A single read, for any `want`. */
  get(resource: string, id: string, caller: Caller, want?: RequestedRelations): MaybePromise<Lookup>;
  /**
   * Whether the caller holds `right` on the record: `editor` (who may edit it), `admin`, or a name in `access.rights`.
   * A missing record is not_found; so is a record of a hidden resource that the caller may not read. An anonymous caller
   * without the right gets login_required, any other forbidden. Does not throw for these.
   */
  permission(resource: string, id: string, right: string, caller: Caller): MaybePromise<Permission>;
  /** The index of the resource that has a record with that id, regardless of who may see it; -1: none. */
  locate(resources: readonly string[], id: string): MaybePromise<number>;
  /** Records by the beginning of a text, regardless of who may see them. */
  find(resource: string, search: Search): MaybePromise<FoundRecords>;
  /** The id and some columns of records, regardless of who may see them; deleted records are omitted. */
  texts(resource: string, columns: readonly string[], ids: readonly string[]): MaybePromise<readonly Row[]>;
  /** The id of the record that has a unique value, regardless of who may see it; null: there is none. */
  findIdByValue(resource: string, column: string, value: Scalar): MaybePromise<string | null>;
  /** The stored hash of a password of the record; null if none is set, or there is no such record. */
  secret(resource: string, id: string, password: string): MaybePromise<string | null>;
  /**
   * A page of the records that belong to a parent, or of all records. Throws like a refused `get` if the parent may not be
   * read; the caller of this method decides who may list all records.
   * @param parentId empty for all records
   */
  list(resource: string, page: Page, parentId: string, caller: Caller): MaybePromise<ListedPage>;
  /**
   * A page of the records of any resource that refer to this record and that the caller may read, by number or cursor (D56).
   * Throws like a refused `get`.
   */
  uses(resource: string, page: Page, id: string, caller: Caller): MaybePromise<ListedPage>;
  /** The same records as these definitions show them. */
  shownBy(definitions: readonly AnyDefinition[]): RecordsView;
}

/** Without `create` and `update` where another process carries out all writes. */
export type RecordsView = Pick<Records, 'get' | 'list'> & Partial<Pick<Records, 'create' | 'update'>>;
