// The kinds of viewers of a record, and what each may see: decided when a statement is composed, or else by SQL.
import { isClosedToTokens } from '../../contract/access.js';
import type { AnyDefinition, View } from '../../contract/definition.js';
import type { Caller, WireFormats } from '../records.js';
import { type Composer, type RowAccess, rightExpression } from './access.js';

/** What is known about the viewer before the statement runs. */
export interface Viewer {
  /** SQL of the caller's id. */
  readonly user: '@user' | 'NULL';
  /** Rights the viewer certainly holds: everything, as an administrator, or `read` and `edit`. */
  readonly holds: 'nothing' | 'edit' | 'everything';
  /** True: the response that creates the record, which alone shows some properties. */
  readonly created: boolean;
  /** The scope of the caller's token (D61); absent: the caller sent none. */
  readonly token?: 'read' | 'write';
}

/** The kinds of viewers of a record. */
export const VIEWERS = {
  anonymous: { user: 'NULL', holds: 'nothing', created: false },
  session: { user: '@user', holds: 'nothing', created: false },
  admin: { user: 'NULL', holds: 'everything', created: false },
  editor: { user: '@user', holds: 'edit', created: false },
  creator: { user: '@user', holds: 'edit', created: true },
  adminCreator: { user: 'NULL', holds: 'everything', created: true },
  reading: { user: '@user', holds: 'nothing', created: false, token: 'read' },
  writing: { user: '@user', holds: 'nothing', created: false, token: 'write' },
  adminReading: { user: 'NULL', holds: 'everything', created: false, token: 'read' },
  adminWriting: { user: 'NULL', holds: 'everything', created: false, token: 'write' },
} as const satisfies Readonly<Record<string, Viewer>>;
export type ViewerName = keyof typeof VIEWERS;

/** The context for composing records of any definition. */
export interface RecordComposer extends Composer {
  readonly formats: WireFormats;
}

export type RowRight = Pick<RowAccess, 'right' | 'alias' | 'placement'>;

/** Boolean SQL over a row: whether `viewer` holds a right on it. */
export function viewerRight(composer: Composer, definition: AnyDefinition, viewer: Viewer, row: RowRight): string {
  const { right } = row;
  if (right === 'admin') return viewer.holds === 'everything' ? '1' : '0';
  if (viewer.holds === 'everything') return '1';
  if (viewer.holds === 'edit' && (right === 'read' || right === 'edit')) return '1';
  return rightExpression(composer, { ...row, resource: definition.name, user: viewer.user });
}

/** The right as the record shows it to a viewer who may read it (D07): a token may allow less than its user may do. */
export function shownRight(composer: Composer, definition: AnyDefinition, viewer: Viewer, row: RowRight): string {
  if (row.right === 'read') return '1';
  const { token } = viewer;
  if (token === 'read' || (token === 'write' && isClosedToTokens(definition, true))) return '0';
  return viewerRight(composer, definition, viewer, row);
}

/** Boolean SQL over a row: whether `viewer` may see a property with that view; absent: everyone who may read the record. */
export function visibility(
  composer: Composer,
  definition: AnyDefinition,
  viewer: Viewer,
  { view, ...row }: Omit<RowRight, 'right'> & { readonly view: View | null | undefined },
): string {
  if (view === undefined || view === null) return '1';
  if (view === 'nobody') return '0';
  if (view === 'created') return viewer.created ? '1' : '0';
  return viewerRight(composer, definition, viewer, { ...row, right: view === 'editor' ? 'edit' : view });
}

/** The kind of viewer that a caller is when fetching a record, whatever the token allows. */
export function viewerOf(caller: Caller): 'anonymous' | 'session' | 'admin' {
  if (caller.admin) return 'admin';
  return caller.user === null ? 'anonymous' : 'session';
}

/** The kind of viewer if the record shows what the caller may do, which the token may narrow. */
export function viewerWithScope(caller: Caller): ViewerName {
  const { scope, admin } = caller;
  if (scope === undefined) return viewerOf(caller);
  if (scope.writes) return admin ? 'adminWriting' : 'writing';
  return admin ? 'adminReading' : 'reading';
}
