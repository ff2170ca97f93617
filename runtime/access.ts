// Rights on a record as data: who may read and edit it, by clauses over its columns. Types only.

import type { Scalar } from './definition.js';

/** One way to hold a right on a record; a list of clauses is their union. Administrators hold every right. */
export type Clause =
  | { readonly anyone: true }
  /** The record is the caller's own user record. */
  | { readonly self: true }
  /** The column holds the caller's user id. */
  | { readonly user: string }
  /** Whoever may edit the record that `column` refers to. */
  | { readonly through: string; readonly to: string }
  /** The boolean column is true. */
  | { readonly when: string }
  /** Another right on the same record, such as `edit`. */
  | { readonly right: string }
  /** A record of `member` shares `by` with this one (in its JSON list `in`, where given) and names the caller in `user`. */
  | {
      readonly member: string;
      readonly by: string;
      readonly user: string;
      readonly in?: string;
      readonly where?: Readonly<Record<string, Scalar>>;
    };

export interface Access {
  readonly read: readonly Clause[];
  readonly edit: readonly Clause[];
  /** Further rights, used by views and actions. */
  readonly rights: Readonly<Record<string, readonly Clause[]>>;
  /** True: who may not read it is told `not_found`, not `forbidden`. */
  readonly hidden: boolean;
}
