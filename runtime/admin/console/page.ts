// A page or action of a site: a row of the table of routes, and what it gets and answers. Types only.

import type { Upload } from '../../contract/definition.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import type { Parameters } from '../../operations/call.js';
import type { Caller } from '../../store/records.js';
import type { Question } from './confirm.js';
import type { PageView } from './view.js';

/** Pages behind one form to log in: where they are, whom they let in, and what they call themselves. */
export interface Site {
  /** What their paths begin with, `/console`. */
  readonly base: string;
  /** Name of the cookie of their sessions, which browsers send to these pages alone. */
  readonly cookie: string;
  readonly heading: string;
  /** Whom they are for, before the name of the service. */
  readonly audience: string;
  /** Said to a user who is not let in. */
  readonly refusal: string;
  /** Whether records can be opened by their ids. */
  readonly finds: boolean;
  /** As whom a user is there; null: they are not let in. */
  enter(caller: Caller): Caller | null;
}

/** Who is logged in: at the operators' pages an administrator. */
export interface Operator {
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
  /** Those of the address. */
  readonly query: Parameters;
  /** Those of the form that was sent; empty for GET. */
  readonly form: Parameters;
  readonly upload: Upload | null;
  /** What the browser keeps for the operator, by name. */
  readonly kept: Readonly<Record<string, string>>;
  readonly operator: Operator;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A page (`stored`: a record holds the upload), the path to go to after something was done, or a file. */
export type PageAnswer =
  | { readonly page: PageView; readonly status?: number; readonly keep?: Kept; readonly stored?: true }
  | { readonly to: string }
  | { readonly download: Download };

/** A choice about pages that the operator's browser is to keep: letters, digits and a few signs. */
export interface Kept {
  readonly name: string;
  readonly value: string;
}

export interface Download {
  readonly name: string;
  readonly type: string;
  /** Read as fast as they are received. */
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** One page (GET) or action (POST). All of them are for those whom the site lets in, and a POST needs the token of its session. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** Below the site's base, with `:name` for a part. */
  readonly path: string;
  /** The multipart part that it stores, by the parts of its path. */
  readonly part?: (
    params: Readonly<Record<string, string>>,
  ) => { readonly part: string; readonly maxBytes: number } | null;
  /** What is asked before a form is carried out; absent or null: nothing. */
  confirm?(request: PageRequest): MaybePromise<Question | null>;
  run(request: PageRequest): MaybePromise<PageAnswer>;
}
