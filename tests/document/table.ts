// Types and names of the tables that transcribe the service document. Nothing here is derived from descriptors.

/** The resources that the document describes, in its order. */
export const documentedNames = [
  'twosidedsluggedset',
  'twosidedslugged',
  'twosidedbox',
  'boxtop',
  'onesidedsluggedset',
  'customcuttwosidedslugged',
  'customcolord6',
  'customwoodd6',
  'scorepad',
  'booklet',
  'bookletpage',
  'coilbook',
  'designerassociate',
  'gamedownload',
  'webhook',
] as const;
export type DocumentedName = (typeof documentedNames)[number];

/** Records that the document refers to but does not describe (D34). */
export const aroundNames = [
  'user',
  'designer',
  'game',
  'folder',
  'file',
  'receipt',
  'apikey',
  'onesidedslugged',
  'coilbookpage',
] as const;
export type AroundName = (typeof aroundNames)[number];

/** Types that existing clients use but the document does not name (D53). */
export const furtherNames: readonly string[] = [
  ...['acrylicshape', 'actionshot', 'boxface', 'boxtopgloss', 'card', 'customcolord4', 'customcolord8'],
  ...['customcutonesidedslugged', 'customprintedmeeple', 'deck', 'dial', 'document', 'gamepart', 'hookbox', 'onesided'],
  ...['onesidedgloss', 'part', 'perfectboundbook', 'perfectboundbookpage', 'threesidedcustomcut'],
  ...['threesidedcustomcutset', 'tuckbox', 'twosided', 'twosidedboxgloss', 'twosidedset'],
  ...['gameledgerentry', 'sanitytest', 'arttest', 'cvtest'],
];

export type RecordName = DocumentedName | AroundName;

export type FieldType =
  | 'id'
  | 'identity'
  | 'constant'
  | 'date'
  | 'text'
  | 'integer'
  | 'decimal'
  | 'boolean'
  /** A boolean written 0 or 1 in both profiles (D06). */
  | 'bit'
  | 'enum'
  | 'url'
  | 'json'
  /** Text that callers send but never see. */
  | 'password'
  /** Id of a record of `to`. */
  | 'reference'
  /** Brief description of a file (D25). */
  | 'description';

/** One property of a record, under its name on the wire. */
export interface Field {
  readonly type: FieldType;
  /** True if no parameter sets it. */
  readonly readOnly?: true;
  /** Who sees it; by default everyone who may read the record (D15). */
  readonly view?: 'editor' | 'download' | 'created';
  readonly to?: RecordName;
  readonly min?: number;
  readonly max?: number;
  /** Digits after the decimal point. */
  readonly scale?: number;
  readonly values?: readonly (string | number)[];
  readonly default?: string | number | boolean;
  /** True if the property is present only when it has a value. */
  readonly whenSet?: true;
  readonly notes: string;
}

export interface DocumentedTable {
  /** Base path, without the other forms (paths.ts). */
  readonly base: string;
  readonly purpose: string;
  /** Value of the type field. */
  readonly constant: string;
  /** Names of the type field; the document's own comes first (D28). */
  readonly reportedAs: readonly string[];
  /** Allowed identities; null if the record has none, or has that of its set. */
  readonly identities: readonly string[] | null;
  readonly defaultIdentity: string | null;
  /** Every property of the record, in the document's order. */
  readonly fields: Readonly<Record<string, Field>>;
  /** Single-valued relations that `_include_related_objects` can add (D21). */
  readonly related: Readonly<Record<string, RecordName>>;
  /** Lists below the record, by name (D23); the lists of a game by identity are in lists.ts. */
  readonly lists: Readonly<Record<string, RecordName>>;
}

export type Operation = 'create' | 'fetch' | 'update' | 'delete';

/** A value for a minimal create, or a record to create first, whose id is the value. */
export type Sample = string | number | boolean | object | { readonly idOf: RecordName };

export interface ReferenceParameter {
  readonly to: RecordName;
  /** The right that the caller must hold on the target (D16). */
  readonly need: 'exists' | 'use' | 'edit';
  /** What a deletion of the target does to this record, or why it is refused (D33). */
  readonly onDelete: 'cascade' | 'set_null' | 'restrict';
  /** Media types that the target file may have; absent if it is not an image. */
  readonly accepts?: readonly string[];
}

export interface Parameters {
  /** Without session_id, which every create needs. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The counts of the document, without session_id, where it gives no names; null where it does. */
  readonly counted: { readonly required: number; readonly optional: number } | null;
  /** Accepted without effect and not mentioned in the response (D19). */
  readonly ignored: readonly string[];
  /** Synonyms of parameters (D30), by synonym. */
  readonly synonyms: Readonly<Record<string, string>>;
  /** Fetch parameters that the document lists besides session_id. */
  readonly fetch: readonly string[];
  readonly references: Readonly<Record<string, ReferenceParameter>>;
  /** The minimal valid create: the `required` parameters with values. */
  readonly minimal: Readonly<Record<string, Sample>>;
}

export type JsonType = 'string' | 'integer' | 'object';
