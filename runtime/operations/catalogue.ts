// Composes the catalogue's rows (D54) from the definitions: what can be created of which identity, where, and in what size.

import type { Catalogue, CatalogueAttributes, CatalogueEntry, CatalogueRow } from '../contract/catalogue.js';
import type { AnyDefinition } from '../contract/definition.js';
import { wordsOf } from './options.js';

export type FullRow = CatalogueRow & CatalogueAttributes;

/** The parts of a definition that rows are composed of. */
type CatalogueSource = Pick<
  AnyDefinition,
  'name' | 'title' | 'titles' | 'sizes' | 'options' | 'catalogue' | 'lists' | 'references'
>;

/** @returns the rows in the order of the definitions and their identities */
export function catalogueRows(catalogue: Catalogue, definitions: readonly CatalogueSource[]): readonly FullRow[] {
  return definitions.flatMap((definition) => {
    const { catalogue: entry, options } = definition;
    if (entry === undefined) return [];
    const shared = sharedBy(definition, definitions);
    return (options.identity ?? []).flatMap((value) => {
      const identity = String(value);
      const overrides = entry.identities?.[identity];
      if (overrides === false) return [];
      const { finished_inches, ...attributes } = { ...defaultsOf(catalogue), ...entry.attributes, ...overrides };
      const { child, sides, ...rest } = shared;
      const row: CatalogueRow = {
        identity,
        name: definition.titles?.identity?.[identity] ?? nameOf(identity, entry),
        ...rest,
        ...relationshipOf(definition, identity),
        ...sizeOf(definition.sizes?.[identity], finished_inches),
        sides,
        ...child,
        _relationships: { self: `${catalogue.path}/${encodeURIComponent(identity)}` },
      };
      return [{ ...row, ...attributes }];
    });
  });
}

function defaultsOf({ attributes }: Catalogue): CatalogueAttributes {
  return Object.fromEntries(Object.entries(attributes).map(([name, { default: value }]) => [name, value]));
}

/** The parts of a row that do not depend on the identity. */
function sharedBy(definition: CatalogueSource, definitions: readonly CatalogueSource[]) {
  const pieces = piecesOf(definition, definitions);
  return {
    create_api: `/api/${definition.name}`,
    sides: sidesOf(definition, pieces?.of),
    child: pieces === undefined ? {} : { child: pieces.child },
  };
}

/** The records that are placed with those of the definition and listed below them. */
function piecesOf({ name }: CatalogueSource, definitions: readonly CatalogueSource[]) {
  for (const of of definitions) {
    const list = of.lists.find((one) => one.parent === name && one.through === undefined && isWhole(one.where));
    if (list === undefined || !of.references.some(({ column, place }) => place && column === list.by)) continue;
    const child = { name: of.title, create_api: `/api/${of.name}`, parent_id: list.by, relationship: list.name };
    return { of, child };
  }
  return undefined;
}

/** Images that are proofed are printed. An image that a piece takes from its set is a side of the piece. */
function sidesOf(definition: CatalogueSource, pieces: CatalogueSource | undefined): CatalogueRow['sides'] {
  const inner = pieces === undefined ? [] : printedOn(pieces);
  const outer = printedOn(definition).filter((field) => !inner.includes(field));
  return [...outer, ...inner].map((field) => ({ field, label: labelOf(field) }));
}

function printedOn({ references }: CatalogueSource): readonly string[] {
  return references.flatMap(({ relation, proof }) => (proof === undefined ? [] : [relation]));
}

/** `spot_gloss` is `Spot Gloss`. */
function labelOf(field: string): string {
  return wordsOf(field).replace(/\b\p{Ll}/gu, (letter) => letter.toUpperCase());
}

/** Digits at the end belong to the words unless the pattern mentions them. */
function nameOf(identity: string, { title = '{words}' }: CatalogueEntry): string {
  const digits = /\d+$/.exec(identity)?.[0] ?? '';
  const isSplit = title.includes('{digits}');
  if (isSplit && digits === '') return wordsOf(identity);
  const words = wordsOf(isSplit ? identity.slice(0, -digits.length) : identity);
  return title.replaceAll('{words}', words).replaceAll('{digits}', digits);
}

/** The list of the identity on its parent, or else the list of all. */
function relationshipOf({ lists }: CatalogueSource, identity: string): Pick<CatalogueRow, 'relationship'> {
  const specific = lists.find(({ where }) => where.identity === identity && Object.keys(where).length === 1);
  const list = specific ?? lists.find(({ where, through }) => through === undefined && isWhole(where));
  return list === undefined ? {} : { relationship: list.name };
}

function isWhole(where: CatalogueSource['lists'][number]['where']): boolean {
  return Object.keys(where).length === 0;
}

function sizeOf(size: string | undefined, finished: unknown): Pick<CatalogueRow, 'size'> {
  if (size === undefined) return {};
  const pixels = size.split('x').map(Number);
  return { size: { pixels, finished_inches: finished ?? pixels.map(inchesOf) } };
}

/** At 300 pixels per inch, without the eighth of an inch that is cut off on either side. */
function inchesOf(pixels: number): number {
  return Math.round(Math.max(0, pixels - 75) / 0.3) / 1000;
}
