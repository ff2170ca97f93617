// What a ledger says, as a hash: which number belongs to which name. Two branches that reach the same revision with different
// contents can be told apart by it. What is removed from the descriptors does not change it.

import { sha256 } from '../../runtime/schema/hash.js';
import { remembered } from '../remembered.js';
import type { Ledger, LedgerEntry, LedgerValues } from './ledger.js';

/** @returns 16 hexadecimal digits */
export function contentOf({ resources, retired = {} }: Ledger): string {
  const entries = [...Object.entries(resources), ...Object.entries(retired)];
  const texts = entries.map(([name, entry]) => [entry.number, `${name}${textOf(entry)}`] as const);
  const lines = texts.sort(([a], [b]) => a - b).map(([number, text]) => `${number} ${text}`);
  return sha256(lines.join('\n')).slice(0, 16);
}

const textOf = remembered(({ columns, retired = {}, values = {} }: LedgerEntry): string => {
  const ofValues = Object.entries(values).map(([column, one]) => `\n ${column}${valuesText(one)}`);
  return named(columns, retired) + ofValues.join('');
});

function valuesText({ names, retired = {} }: LedgerValues): string {
  return named(names, retired);
}

function named(live: Readonly<Record<string, number>>, retired: Readonly<Record<string, number>>): string {
  const pairs = [...Object.entries(live), ...Object.entries(retired)].sort(([, a], [, b]) => a - b);
  return JSON.stringify(pairs);
}
