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

/** @param today YYYY-MM-DD @returns text to paste, preceded by its place: `add to tallness: synonyms: [height]` */
export function adviceText(advice: Advice, today: string): string {
  if ('text' in advice) return advice.text;
  const sunset = new Date(Date.parse(today) + NOTICE * DAY).toISOString().slice(0, 10);
  return `keep ${advice.deprecate} for now, with: deprecated: ${today}, sunset: ${sunset}`;
}

/** A renamed field can still be sent or shown under its old name; a removed field can be deprecated first. */
export function keepNameAdvice(
  key: 'synonyms' | 'shown_as',
  name: string,
  from: Resource,
  to: Resource,
): Advice | null {
  const field = statedField(name, from);
  // The name is a synonym, which has no dates.
  if (field === null) return null;
  const now = renamedField(name, from, to);
  if (now === null) return to.stated.fields.has(field.name) ? null : { deprecate: field.name };
  const { refers, keys } = kindOf(now.keys);
  if (!keys.includes(key)) return null;
  const names = [...(now.keys[key] ?? []), refers === 'upload' ? field.name : name];
  return { text: `add to ${now.name}: ${key}: [${[...new Set(names)].join(', ')}]` };
}

/** A renamed resource can still be called by its old name. */
export function keepPathsAdvice(name: string, now: Resource | undefined): Advice {
  if (now === undefined) return { deprecate: name };
  const names = (now.stated.old_names ?? []).map((one) => one.name);
  return { text: `add to ${now.name}: old_names: [${[...names, name].join(', ')}]` };
}

/** Existing callers do not send a new required parameter. */
export function makeOptional(name: string, resource: Resource): Advice | null {
  const field = statedField(name, resource);
  const isOptional = field === null || field.keys.place === true || field.keys.required !== true;
  return isOptional ? null : { text: `add to ${field.name}: required: false` };
}

interface StatedField {
  readonly name: string;
  readonly keys: RawField;
}

/** The field that keeps the values of a column under another name; null if there is none. */
function renamedField(name: string, from: Resource, to: Resource): StatedField | null {
  const number = columnOf(from, name)?.number;
  const now = to.columns.find((column) => column.number === number)?.name;
  return number === undefined || now === undefined || now === name ? null : statedField(now, to);
}

/** The field of a column or a property: `face` for `face_id` and `has_proofed_face`. Null if the name is a synonym. */
function statedField(name: string, { stated }: Resource): StatedField | null {
  const base = name.replace(/^has_proofed_/, '').replace(/_id$/, '');
  const fieldName = [name, base].find((one) => stated.fields.has(one));
  const keys = stated.fields.get(fieldName ?? '');
  return fieldName === undefined || keys === undefined ? null : { name: fieldName, keys };
}
