// Transcribes "Resources and their fields / Conventions" (rules 1 to 6): properties that many resources share.
import type { DocumentedTable, Field } from './table.js';

const id: Field = { type: 'id', readOnly: true, notes: 'unique, never changes' };
const dates = {
  date_created: { type: 'date', readOnly: true, notes: 'date of creation' },
  date_updated: { type: 'date', readOnly: true, notes: 'date of last update' },
} as const satisfies Record<string, Field>;

/** D17: optional on create. */
const identity: Field = { type: 'identity', notes: 'one of the identities' };
/** A member has the identity of its set (D17). */
export const identityOfSet: Field = { type: 'identity', readOnly: true, notes: 'style of piece' };

/** The document gives no length; the service allows 1 to 255 characters. */
export const name: Field = { type: 'text', max: 255, notes: 'name' };
export const gameId: Field = { type: 'reference', to: 'game', notes: 'game the record belongs to' };
export const quantity: Field = { type: 'integer', min: 1, max: 99, default: 1, notes: 'number of copies' };

/** The type field, under each name that it is reported by (D28). */
function constant(...names: readonly string[]): Record<string, Field> {
  return Object.fromEntries(names.map((each) => [each, { type: 'constant', readOnly: true, notes: 'constant' }]));
}

/** Rules 3 and 4: the id of a file, the proof flag, and the brief description beside the id. D15: for editors. */
export function image(word: string, notes: string): Record<string, Field> {
  return {
    [`${word}_id`]: { type: 'reference', to: 'file', view: 'editor', notes },
    [`has_proofed_${word}`]: { type: 'boolean', view: 'editor', default: false, notes: `${word} verified by the user` },
    [word]: { type: 'description', readOnly: true, view: 'editor', whenSet: true, notes: `describes ${word}_id` },
  };
}

/** An image that is never proofed: the cut file of a shape. */
export function unproofed(word: string, notes: string): Record<string, Field> {
  const { [`has_proofed_${word}`]: _, ...rest } = image(word, notes);
  return rest;
}

/** A table that must have these keys; the other keys have defaults here. */
type TableWith<Keys extends keyof DocumentedTable> = Partial<DocumentedTable> & Pick<DocumentedTable, Keys>;

/** A resource whose path and type are its name. The properties that all records have come before its own. */
export function described(word: string, table: TableWith<'purpose' | 'fields'>): DocumentedTable {
  const { reportedAs = ['object_type'] } = table;
  const { identity: style, ...own } = table.fields;
  return {
    base: `/api/${word}`,
    constant: word,
    identities: null,
    defaultIdentity: null,
    related: {},
    lists: {},
    ...table,
    reportedAs,
    fields: { id, ...(style && { identity: style }), ...constant(...reportedAs), ...dates, ...own },
  };
}

/** A component of a game, in one of several styles. */
export function component(
  word: string,
  table: TableWith<'purpose' | 'identities' | 'defaultIdentity'>,
): DocumentedTable {
  const fields = { identity, name, game_id: gameId, quantity, ...table.fields };
  return described(word, { related: { game: 'game' }, ...table, fields });
}
