// A page or action of a site: a row of the table of routes, and what it gets and answers. Types only.

import type { Role } from '../../auth/roles.js';
import type { Upload } from '../../contract/definition.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import type { Parameters } from '../../operations/call.js';
import type { Caller } from '../../store/records.js';
import type { Question } from './confirm.js';
import type { PageView } from './view.js';

/** The pages behind one login form: where they are, whom they let in, and their headings. */
export interface Site {
  /** The beginning of their paths, such as `/console`. */
  readonly base: string;
  /** Name of the session cookie, which browsers send to these pages only. */
  readonly cookie: string;
  readonly heading: string;
  /** The words before the name of the service, such as “For users of”. */
  readonly audience: string;
  /** The message for a user who is not let in. */
  readonly refusal: string;
  /** Whether every page has the search field for records. */
  readonly finds: boolean;
  /** @param role on the operators' pages @returns null: the user is not let in */
  enter(caller: Caller, role: Role): Admission | null;
}

/** The caller as whom a user acts on a site, and the user's role there. */
export interface Admission {
  readonly caller: Caller;
  /** What the user may do there; null: everything that the site offers. */
  readonly role: Role | null;
}

/** The user who is logged in. On the operators' pages the caller reads as an administrator, whatever the role. */
export interface Operator extends Admission {
  readonly caller: Caller & { readonly user: string };
  readonly name: string;
  /** The session id. */
  readonly session: string;
  /** When the password of the session was entered, in epoch milliseconds. */
  readonly opened: number;
}

export interface PageRequest {
  /** Parts of the path by their names. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the address. */
  readonly query: Parameters;
  /** The parameters of the form that was sent; empty for GET. */
  readonly form: Parameters;
  readonly upload: Upload | null;
  /** Saved choices of the user's browser, by name. */
  readonly kept: Readonly<Record<string, string>>;
  readonly operator: Operator;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A page (`stored`: a record holds the upload), the path to go to after something was done, or a file. */
export type PageAnswer =
  | { readonly page: PageView; readonly status?: number; readonly keep?: SavedChoice; readonly stored?: true }
  | { readonly to: string }
  | { readonly download: Download };

/** A choice about the look of a page, kept in the user's browser; the value is made of letters, digits and a few signs. */
export interface SavedChoice {
  readonly name: string;
  readonly value: string;
}

export interface Download {
  readonly name: string;
  readonly type: string;
  /** Read as fast as they are received. */
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** A part of a multipart form that holds a file. */
export interface FilePart {
  readonly part: string;
  readonly maxBytes: number;
}

/** One page (GET) or action (POST). All of them are for users whom the site admits, and a POST needs the token of its session. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** Below the site's base, with `:name` for a part. */
  readonly path: string;
  /** The multipart part that it stores, by the parts of its path. */
  readonly part?: (params: Readonly<Record<string, string>>) => FilePart | null;
  /** The question before a form is carried out; absent or null: none. */
  confirm?(request: PageRequest): MaybePromise<Question | null>;
  run(request: PageRequest): MaybePromise<PageAnswer>;
}
