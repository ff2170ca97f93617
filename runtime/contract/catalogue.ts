// The catalogue of what can be made (D54), as definitions state it and as its rows show it.
import type { ParameterKind } from './definition.js';

/** The catalogue: what can be made, with a row for each identity of the definitions that it covers (D54). */
export interface Catalogue {
  readonly path: string;
  /** What rows show in addition to what follows from the definitions, with the value for rows that state none. */
  readonly attributes: Readonly<Record<string, { readonly kind: ParameterKind; readonly default: unknown }>>;
}

/** What a definition states about the rows of its identities. */
export interface CatalogueEntry {
  /** Their names, with {words} and {digits} of the identity; absent: the words. */
  readonly title?: string;
  /** Attribute values that all of the rows share. */
  readonly attributes: CatalogueAttributes;
  /** Attribute values of single rows; false: the identity has no row. */
  readonly identities?: Readonly<Record<string, CatalogueAttributes | false>>;
}

export type CatalogueAttributes = Readonly<Record<string, unknown>>;

/** What every row shows, so that no attribute can have the name. */
export const ROW_KEYS = [
  'identity',
  'name',
  'create_api',
  'relationship',
  'size',
  'sides',
  'child',
  '_relationships',
] as const satisfies readonly (keyof CatalogueRow)[];

/** A row of the catalogue, without its attributes. */
export interface CatalogueRow {
  readonly identity: string;
  readonly name: string;
  /** Where a record of the identity is created. */
  readonly create_api: string;
  /** Name of its list on its parent. */
  readonly relationship?: string;
  readonly size?: { readonly pixels: readonly number[]; readonly finished_inches: unknown };
  /** The images that are printed, including those of its pieces. */
  readonly sides: readonly { readonly field: string; readonly label: string }[];
  /** How its pieces are created. */
  readonly child?: {
    readonly name: string;
    readonly create_api: string;
    readonly parent_id: string;
    readonly relationship: string;
  };
  readonly _relationships: { readonly self: string };
}
