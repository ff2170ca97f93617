// The text of spec/ledger.json to a ledger, or what is wrong with it. Reads no file.

import type { Ledger, LedgerEntry } from './ledger.js';

/** @returns the ledger, or what to do about a text that is none, as the end of a sentence that starts with the path */
export function parseLedger(text: string): Ledger | string {
  if (/^(<{7}|={7}|>{7})( |\r?$)/m.test(text)) return CONFLICT;
  try {
    const value: unknown = JSON.parse(text);
    return isLedger(value) ? value : DAMAGED;
  } catch {
    return DAMAGED;
  }
}

const DAMAGED = 'is damaged: take it from version control, it must never be written by hand';
const CONFLICT = 'has conflicts of a merge: take the whole file from the side that is deployed, then run gen';

function isLedger(value: unknown): value is Ledger {
  if (!isMap(value) || !isNumber(value.next)) return false;
  return (
    mapOf(value.resources, isEntry) &&
    mapOf(value.retired ?? {}, isEntry) &&
    mapOf(value.formerly ?? {}, isNames) &&
    mapOf(value.was ?? {}, isStatement)
  );
}

function isEntry(value: unknown): value is LedgerEntry {
  if (!isMap(value) || !isNumber(value.number)) return false;
  const { columns, retired = {}, formerly = {}, was = {} } = value;
  if (!mapOf(columns, isNumber) || !mapOf(retired, isNumber)) return false;
  return mapOf(formerly, isNames) && mapOf(was, isStatement);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return isMap(value) && Object.values(value).every(is);
}

function isNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isStatement(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
