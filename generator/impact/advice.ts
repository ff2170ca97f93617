// Advice next to a breaking finding: what to write in the descriptor so that the edit does not break callers. Pure.

import type { RawField } from '../language/language.js';
import { kindOf } from '../model/kinds/kinds.js';
import type { Resource } from '../model/model.js';
import { columnOf } from './sides.js';

/** Text to paste, or the name of something to deprecate before it is removed. */
export type Advice = { readonly text: string } | { readonly deprecate: string };

/** Days that callers have to change their code. */
const NOTICE = 180;
const DAY = 86_400_000;

/** @param today YYYY-MM-DD @returns text to paste, after where it goes: `add to tallness: synonyms: [height]` */
export function adviceText(advice: Advice, today: string): string {
  if ('text' in advice) return advice.text;
  const sunset = new Date(Date.parse(today) + NOTICE * DAY).toISOString().slice(0, 10);
  return `keep ${advice.deprecate} for now, with: deprecated: ${today}, sunset: ${sunset}`;
}

/** A field that has another name can be sent under the old one, too, or shown; one that is gone can be deprecated first. */
export function keepName(key: 'synonyms' | 'shown_as', name: string, from: Resource, to: Resource): Advice | null {
  const field = renamedField(name, from, to);
  if (field === null) return columnOf(to, columnOf(from, name)?.name ?? '') === undefined ? { deprecate: name } : null;
  const [now, keys] = field;
  if (!kindOf(keys).keys.includes(key)) return null;
  const names = [...(keys[key] ?? []), kindOf(keys).refers === 'upload' ? baseName(name) : name];
  return { text: `add to ${now}: ${key}: [${[...new Set(names)].join(', ')}]` };
}

/** A resource that has another name can be called by the old one, too. */
export function keepPaths(name: string, now: Resource | undefined): Advice {
  if (now === undefined) return { deprecate: name };
  const names = (now.stated.old_names ?? []).map((one) => one.name);
  return { text: `add to ${now.name}: old_names: [${[...names, name].join(', ')}]` };
}

/** Existing callers do not send a new required parameter. */
export function makeOptional(name: string, { stated }: Resource): Advice | null {
  const field = [...stated.fields.keys()].find((one) => one === name || `${one}_id` === name);
  const { place = false, required } = stated.fields.get(field ?? '') ?? {};
  return field === undefined || place || required !== true ? null : { text: `add to ${field}: required: false` };
}

/** The field that keeps the values of a column under another name; null: there is none. */
function renamedField(name: string, from: Resource, to: Resource): readonly [string, RawField] | null {
  const number = columnOf(from, name)?.number;
  const now = to.columns.find((column) => column.number === number)?.name;
  if (number === undefined || now === undefined || now === name) return null;
  const found = [...to.stated.fields].find(([field]) => field === now || field === baseName(now));
  return found ?? null;
}

/** `face_id` and `has_proofed_face` are columns of `face`. */
function baseName(column: string): string {
  return column.replace(/^has_proofed_/, '').replace(/_id$/, '');
}
