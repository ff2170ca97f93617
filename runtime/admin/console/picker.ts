// The records that a reference of a form may have: looked for by name or id, and only those that the operator may use there.

import { neededRight } from '../../contract/access.js';
import type { AnyDefinition, Reference } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { isPlacedWith, placementOf } from '../../contract/ids.js';
import type { Parameters } from '../../operations/call.js';
import type { Records } from '../../store/records.js';
import type { PageRequest } from './page.js';
import { textColumns } from './pages/find.js';
import { callOf, imageIn, nameOf, type Resources, type ShownRecord } from './resource.js';
import { count, quotedText } from './view.js';

export interface PickerSource {
  readonly resources: Resources;
  readonly store: Pick<Records, 'find' | 'permission'>;
}

export interface Choice {
  readonly id: string;
  readonly name: string;
  /** With the name of the record that it belongs to. */
  readonly text: string;
  readonly image: string | null;
}

export interface Found {
  readonly choices: readonly Choice[];
  /** False: there may be more. */
  readonly isComplete: boolean;
}

/** A reference of a form. */
export interface Picked extends Target {
  readonly chosen: Choice | null;
  /** Null: nothing was looked for. */
  readonly found: Found | null;
  /** What was looked for. */
  readonly text: string;
  /** Bytes of a file from disk; null: the reference takes none. */
  readonly takesFile: number | null;
}

export interface Target {
  readonly reference: Reference;
  readonly target: AnyDefinition;
}

/** What a form has for its references: the record that is changed, and what was typed. */
export interface ReferenceForm {
  readonly definition: AnyDefinition;
  /** Null: one is created. */
  readonly record: ShownRecord | null;
  readonly form: Parameters;
}

/** Of the matches that are looked at, so many that may be used are shown. */
const [SHOWN, LOOKED_AT] = [20, 500];
const LONGEST = 100;

/** What was typed to look for it, and what it had before. */
export const searchName = (name: string): string => `_find.${name}`;
export const hadName = (name: string): string => `_had.${name}`;
/** The part of a file from disk. */
export const uploadPart = (name: string): string => `_file.${name}`;

/** Null: the parameter is not a reference to records that the pages have. */
export function targetOf({ find }: Resources, { parameters, references }: AnyDefinition, name: string): Target | null {
  const reference = Object.hasOwn(parameters, name) && references.find(({ column }) => column === name);
  const target = reference && find(reference.to);
  return reference && target ? { reference, target } : null;
}

/** The references of a form, with the names of what they have. */
export async function pickedIn(
  source: PickerSource,
  request: PageRequest,
  { definition, record, form }: ReferenceForm,
  found: ReadonlyMap<string, Found>,
): Promise<ReadonlyMap<string, Picked>> {
  const { resources } = source;
  const all = Object.keys(definition.parameters).map(async (name) => {
    const target = targetOf(resources, definition, name);
    if (target === null) return [];
    const id = form[name] ?? record?.[name];
    const chosen = typeof id === 'string' && id !== '' ? await choiceOf(resources, request, target.target, id) : null;
    const matches = found.get(name) ?? null;
    // What was chosen after it was looked for needs no search any more.
    const text = matches === null ? '' : searched(form, name);
    const takesFile = bytesOf(resources, target.target);
    return [[name, { ...target, chosen, found: matches, text, takesFile }] as const];
  });
  return new Map((await Promise.all(all)).flat());
}

function searched(form: Parameters, name: string): string {
  const text = form[searchName(name)];
  return typeof text === 'string' ? text.replaceAll('\0', '').trim().slice(0, LONGEST) : '';
}

/** Null: it is not made from bytes alone. */
function bytesOf(resources: Resources, target: AnyDefinition): number | null {
  const { upload, operations } = target;
  if (upload === null || operations.create === null) return null;
  const others = [...resources.bodyOf(target, 'create').required].filter((name) => name !== upload.part);
  return others.length === 0 ? upload.maxBytes : null;
}

/** What may be chosen for a reference, by the beginning of a name or by an id. */
export async function lookFor(
  { resources, store }: PickerSource,
  request: PageRequest,
  asked: ReferenceForm,
  { reference, target }: Target,
): Promise<Found> {
  const text = searched(asked.form, reference.column);
  const columns = textColumns(target);
  const { ids, isComplete } = isPlacedWith(text, text)
    ? { ids: [text], isComplete: true }
    : await store.find(target.name, { text, columns, limit: LOOKED_AT });
  const place = placeFor(reference, asked);
  const near = ids.filter((id) => place === null || placementOf(id) === place);
  const right = neededRight(reference.need, target.access);
  const choices = near.slice(0, SHOWN).map(async (id) => {
    const { caller } = request.operator;
    const may = right === null || (await store.permission(target.name, id, right, caller)).allowed;
    return may ? choiceOf(resources, request, target, id, reference.accepts) : null;
  });
  const usable = (await Promise.all(choices)).flatMap((choice) => choice ?? []);
  return { choices: usable, isComplete: isComplete && ids.length < LOOKED_AT && near.length <= SHOWN };
}

/** The placement that the target must have, as it has the owner of the record (D37); null: any. */
function placeFor({ place, inside }: Reference, { definition, record, form }: ReferenceForm): string | null {
  if (!place && !inside) return null;
  if (record !== null) return placementOf(String(record.id));
  const decides = definition.references.find((one) => one.place)?.column ?? '';
  const id = form[decides];
  return place || typeof id !== 'string' || id === '' ? null : placementOf(id);
}

/** Null: the operator may not see it, there is none, or it is of a type that the reference does not take. */
async function choiceOf(
  resources: Resources,
  request: PageRequest,
  target: AnyDefinition,
  id: string,
  accepts?: readonly string[],
): Promise<Choice | null> {
  const call = callOf(target, request, { id, parameters: { _include_related_objects: '1' } });
  try {
    const record = JSON.parse((await resources.operationsOf(target).fetch(call)).body) as ShownRecord;
    if (accepts !== undefined && !accepts.includes(String(record.file_type))) return null;
    const name = nameOf(target, record);
    const above = target.references.find(({ place }) => place);
    const owner = above && resources.find(above.to);
    const related = above && (record[above.relation] as ShownRecord | undefined);
    const text = owner && related ? `${name} · ${nameOf(owner, related)}` : name;
    return { id, name, text, image: imageIn(record) };
  } catch (thrown) {
    if (thrown instanceof ServiceError) return null;
    throw thrown;
  }
}

/** What was typed and not chosen is looked for when the form is sent: the one record that matches is taken. */
export async function withMatches(
  source: PickerSource,
  request: PageRequest,
  asked: ReferenceForm,
): Promise<{ form: Parameters; found: ReadonlyMap<string, Found>; errors: ReadonlyMap<string, string> }> {
  const form: Record<string, unknown> = { ...asked.form };
  const [found, errors] = [new Map<string, Found>(), new Map<string, string>()];
  for (const name of Object.keys(asked.definition.parameters)) {
    const target = targetOf(source.resources, asked.definition, name);
    if (target === null) continue;
    if ((form[uploadPart(name)] ?? '') !== '')
      errors.set(name, 'The file was not stored: choose it again, and wait for it.');
    const text = searched(form, name);
    if (text === '' || (form[name] ?? '') !== (form[hadName(name)] ?? '')) continue;
    const matches = await lookFor(source, request, { ...asked, form }, target);
    const [only, ...others] = matches.choices;
    if (only !== undefined && others.length === 0) form[name] = only.id;
    else {
      found.set(name, matches);
      errors.set(name, only === undefined ? noteOf(matches, text) : `${noteOf(matches, text)} Choose one.`);
    }
  }
  return { form, found, errors };
}

/** What was found, in words. */
export function noteOf({ choices, isComplete }: Found, text: string): string {
  const first = isComplete ? '' : ' There may be more: type more of the name.';
  if (choices.length === 0) return `Nothing that can be used here begins with ${quotedText(text)}.${first}`;
  return `${count(choices.length, 'match', 'matches')}.${first}`;
}
