// Parses the text of spec/ledger.json.

import { fileSchema } from '../check/structure.js';
import type { Keywords } from '../language/keywords.js';
import type { Ledger } from './ledger.js';

/** @returns the ledger, or what is wrong with the text and what to do about it, as the end of a sentence that starts with the path */
export function parseLedger(text: string): Ledger | string {
  if (/^(<{7}|={7}|>{7})( |\r?$)/m.test(text)) return CONFLICT;
  try {
    const value: unknown = JSON.parse(text);
    return isLedger(value) ? value : DAMAGED;
  } catch {
    return DAMAGED;
  }
}

const DAMAGED = 'is damaged: restore it from version control; it must not be edited by hand';
const CONFLICT = 'has merge conflicts: take the whole file from the side that is deployed, then run gen';

/** What a later version may add is let through. */
const NUMBER = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const FORMERLY = mapOf({ type: 'array', items: { type: 'string' } });
const STATEMENTS = mapOf({ type: ['string', 'null'] });
const ENTRY = {
  type: 'object',
  properties: { number: NUMBER, columns: mapOf(NUMBER), retired: mapOf(NUMBER), formerly: FORMERLY, was: STATEMENTS },
  required: ['number', 'columns'],
};
const ledgerSchema = fileSchema({
  type: 'object',
  properties: { next: NUMBER, resources: mapOf(ENTRY), retired: mapOf(ENTRY), formerly: FORMERLY, was: STATEMENTS },
  required: ['next', 'resources'],
});

function mapOf(value: Keywords): Keywords {
  return { type: 'object', additionalProperties: value };
}

function isLedger(value: unknown): value is Ledger {
  return ledgerSchema()(value) === true;
}
