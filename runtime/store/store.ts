// The seam between the request path and an engine: one method per operation, none that takes a callback.

import type { Consequence } from '../behaviour.js';
import type { AnyDefinition, Input, Row, Scalar, Upload } from '../definition.js';
import type { ErrorCode, Failure } from '../errors.js';

export type MaybePromise<T> = T | Promise<T>;

/** The formats in which a wire profile shows dates (D05) and booleans (D06), by name; each engine writes them. */
export interface WireFormats {
  /** `iso`: `2026-01-02T03:04:05.678Z`. `seconds`: `2026-01-02 03:04:05`. */
  readonly date: 'iso' | 'seconds';
  /** `boolean`: true and false. `number`: 1 and 0. */
  readonly boolean: 'boolean' | 'number';
}

/** Who asks. `user` is null for an anonymous caller; an administrator holds every right. */
export interface Caller {
  readonly user: string | null;
  readonly admin: boolean;
  /** The API key the session was opened with; null or absent: none. */
  readonly apiKey?: string | null;
}

/** Parameters that passed or failed validation; the store adds what only it can see (references, uniqueness). */
export interface Change {
  readonly definition: AnyDefinition;
  readonly caller: Caller;
  readonly input: Input;
  readonly failures: readonly Failure[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly upload: Upload | null;
}

/** A hand-written action on one record. */
export interface Act {
  /** What the caller must hold on the record, as `may` names it. */
  readonly right: string;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What is to happen to the stored row: synchronous and pure; a ServiceError thrown here refuses it. */
  decide(row: Row): Consequence | undefined;
}

/** A record as the JSON text that goes to the wire, or why not. */
export type Found =
  | { readonly found: true; readonly text: string }
  | { readonly found: false; readonly code: Extract<ErrorCode, 'not_found' | 'forbidden' | 'login_required'> };

/** Whether the caller holds a right on a record, or why not. */
export type Permission =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: Extract<ErrorCode, 'not_found' | 'forbidden' | 'login_required'> };

/** Of relations. */
export type Names = readonly string[] | 'all';

export interface Related {
  readonly name: string;
  /** JSON text as the caller sees it; null where nothing is referred to, or the caller may not read it. */
  readonly text: string | null;
}

export interface Page {
  readonly parent: string;
  readonly list: string;
  /** Starts at 1. */
  readonly number: number;
  readonly size: number;
  /** Of the items' texts together: past it the page holds fewer, at least one, and the cursor goes on behind them. */
  readonly maxBytes: number;
  readonly orderBy: string | null;
  readonly descending: boolean;
  /** The opaque cursor of an earlier answer; null: by page number. */
  readonly cursor: string | null;
  readonly filters: Readonly<Record<string, Scalar>>;
}

export interface Listed {
  readonly items: readonly string[];
  readonly total: number;
  /** Continues after the last item; null at the end. */
  readonly cursor: string | null;
}

/**
 * The records of every definition, in one engine. Writes are durable before they answer.
 * Each throws ServiceError: not_found, forbidden, login_required, conflict, not_unique, required, invalid,
 * reference_not_found, unsupported_file, unavailable, storage_full.
 */
export interface Store {
  /** The new record as its creator sees it, and its id. */
  create(change: Change): MaybePromise<{ readonly id: string; readonly text: string }>;
  /** The changed record as an editor sees it. */
  update(id: string, change: Change): MaybePromise<string>;
  /** Deletes it, with what goes with it (D33). */
  remove(definition: AnyDefinition, id: string, caller: Caller, now: number): MaybePromise<void>;
  /**
   * Carries out an action inside one savepoint: the record must exist and the caller hold the right, as in `may`; the
   * changes decided on are written, with a new date_updated, and the events published. Lifecycle functions do not run.
   * Answers the record as the caller sees it; who may not read it is refused.
   */
  act(definition: AnyDefinition, id: string, act: Act): MaybePromise<string>;
  get(definition: AnyDefinition, id: string, caller: Caller): MaybePromise<Found>;
  /**
   * Whether the caller holds `right` on the record: `editor` (who may edit it), `admin`, or a name in `access.rights`.
   * A missing record is not_found; so is, on a hidden resource, one the caller may not read. An anonymous caller
   * without the right gets login_required, anyone else forbidden. Does not throw for these.
   */
  may(definition: AnyDefinition, id: string, right: string, caller: Caller): MaybePromise<Permission>;
  /** True when a record with that id exists, whoever may see it. */
  exists(definition: AnyDefinition, id: string): MaybePromise<boolean>;
  /** The stored hash of a password of the record; null where none is set, or there is no such record. */
  secret(definition: AnyDefinition, id: string, password: string): MaybePromise<string | null>;
  /** The single-valued relations of a record by name; a name that is none is left out. */
  related(definition: AnyDefinition, id: string, names: Names, caller: Caller): MaybePromise<readonly Related[]>;
  /** Ids that a record's references hold, by relation; null where not set. */
  links(definition: AnyDefinition, id: string): MaybePromise<Readonly<Record<string, string | null>>>;
  /** Throws like `get` when the parent may not be read. `definition` is the list's items'. */
  list(definition: AnyDefinition, page: Page, parentId: string, caller: Caller): MaybePromise<Listed>;
  close(): MaybePromise<void>;
}
