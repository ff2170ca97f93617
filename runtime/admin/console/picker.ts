// The records to which a reference of a form may lead: found by name or id, and only those that the operator may use there.

import { neededRight } from '../../contract/access.js';
import type { AnyDefinition, Reference } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { isPlacedWith, placementOf } from '../../contract/ids.js';
import type { Parameters } from '../../operations/call.js';
import type { PageRequest } from './page.js';
import {
  callOf,
  imageIn,
  nameOf,
  type RecordSource,
  type Resources,
  readRecord,
  type ShownRecord,
} from './resource.js';
import { count, quotedText } from './view.js';
import { searchText, textColumns } from './wording.js';

export type PickerSource = RecordSource<'find' | 'permission'>;

export interface Choice {
  readonly id: string;
  readonly name: string;
  /** The name, followed by the name of the record that it belongs to. */
  readonly text: string;
  readonly image: string | null;
}

/** The matches of a search for a reference. */
export interface FieldMatches {
  readonly choices: readonly Choice[];
  /** False: there may be more. */
  readonly isComplete: boolean;
}

/** A reference of a form: its current choice, and the search for another. */
export interface FormReference extends ReferenceTarget {
  readonly chosen: Choice | null;
  /** Null: nothing was searched for. */
  readonly matches: FieldMatches | null;
  /** The text that was searched for. */
  readonly text: string;
  /** The greatest size of a file that can be uploaded for it; null: it takes none. */
  readonly maxBytes: number | null;
}

export interface ReferenceTarget {
  readonly reference: Reference;
  readonly target: AnyDefinition;
}

/** A form with references: the record that it changes, and what was typed. */
export interface ReferenceForm {
  readonly definition: AnyDefinition;
  /** Null: a record is created. */
  readonly record: ShownRecord | null;
  readonly form: Parameters;
}

/** How many matches are checked, and how many of them are shown. */
const CHECKED = 500;
const SHOWN = 20;

/** The fields of a form that hold the search of a reference, and its value before the search. */
const searchName = (name: string): string => `_find.${name}`;
const valueBeforeSearchName = (name: string): string => `_had.${name}`;
/** The part of a multipart form that holds a file for a reference. */
export const uploadPart = (name: string): string => `_file.${name}`;

/** Null: the parameter does not refer to records that have pages. */
export function targetOf(
  { find }: Resources,
  { parameters, references }: AnyDefinition,
  name: string,
): ReferenceTarget | null {
  const reference = Object.hasOwn(parameters, name) && references.find(({ column }) => column === name);
  const target = reference && find(reference.to);
  return reference && target ? { reference, target } : null;
}

/** The references of a form with their current choices, by parameter. */
export async function formReferences(
  source: PickerSource,
  request: PageRequest,
  { definition, record, form }: ReferenceForm,
  searches: ReadonlyMap<string, FieldMatches>,
): Promise<ReadonlyMap<string, FormReference>> {
  const { resources } = source;
  const all = Object.keys(definition.parameters).map(async (name) => {
    const target = targetOf(resources, definition, name);
    if (target === null) return [];
    const id = form[name] ?? record?.[name];
    const chosen = typeof id === 'string' && id !== '' ? await choiceOf(resources, request, target.target, id) : null;
    const matches = searches.get(name) ?? null;
    // A choice that was made ends the search.
    const text = matches === null ? '' : searched(form, name);
    const maxBytes = bytesOf(resources, target.target);
    return [[name, { ...target, chosen, matches, text, maxBytes }] as const];
  });
  return new Map((await Promise.all(all)).flat());
}

function searched(form: Parameters, name: string): string {
  return searchText(form[searchName(name)]);
}

/** The greatest size of a file that a record can be created from; null: a record needs more than a file. */
function bytesOf(resources: Resources, target: AnyDefinition): number | null {
  const { upload, operations } = target;
  if (upload === null || operations.create === null) return null;
  const others = [...resources.bodyOf(target, 'create').required].filter((name) => name !== upload.part);
  return others.length === 0 ? upload.maxBytes : null;
}

/** Finds what may be chosen for a reference, by the beginning of a name or by an id. */
export async function findChoices(
  { resources, store }: PickerSource,
  request: PageRequest,
  sent: ReferenceForm,
  { reference, target }: ReferenceTarget,
): Promise<FieldMatches> {
  const text = searched(sent.form, reference.column);
  const columns = textColumns(target);
  const { ids, isComplete } = isPlacedWith(text, text)
    ? { ids: [text], isComplete: true }
    : await store.find(target.name, { text, columns, limit: CHECKED });
  const place = placeFor(reference, sent);
  const near = ids.filter((id) => place === null || placementOf(id) === place);
  const right = neededRight(reference.need, target.access);
  const choices = near.slice(0, SHOWN).map(async (id) => {
    const { caller } = request.operator;
    const may = right === null || (await store.permission(target.name, id, right, caller)).allowed;
    return may ? choiceOf(resources, request, target, id, reference.accepts) : null;
  });
  const usable = (await Promise.all(choices)).flatMap((choice) => choice ?? []);
  return { choices: usable, isComplete: isComplete && ids.length < CHECKED && near.length <= SHOWN };
}

/** The placement that the target must have because it has the same owner as the record (D37); null: any. */
function placeFor({ place, inside }: Reference, { definition, record, form }: ReferenceForm): string | null {
  if (!place && !inside) return null;
  if (record !== null) return placementOf(String(record.id));
  const decides = definition.references.find((one) => one.place)?.column ?? '';
  const id = form[decides];
  return place || typeof id !== 'string' || id === '' ? null : placementOf(id);
}

/** Null: the operator may not see the record, it does not exist, or the reference does not take files of its type. */
async function choiceOf(
  resources: Resources,
  request: PageRequest,
  target: AnyDefinition,
  id: string,
  accepts?: readonly string[],
): Promise<Choice | null> {
  const call = callOf(target, request, { id, parameters: { _include_related_objects: '1' } });
  try {
    const record = await readRecord(resources, call);
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

/** Searches for what was typed and not chosen: a match is taken if there can be no other. */
export async function withMatches(
  source: PickerSource,
  request: PageRequest,
  sent: ReferenceForm,
): Promise<{ form: Parameters; searches: ReadonlyMap<string, FieldMatches>; errors: ReadonlyMap<string, string> }> {
  const form: Record<string, unknown> = { ...sent.form };
  const [searches, errors] = [new Map<string, FieldMatches>(), new Map<string, string>()];
  for (const name of Object.keys(sent.definition.parameters)) {
    const target = targetOf(source.resources, sent.definition, name);
    if (target === null) continue;
    if ((form[uploadPart(name)] ?? '') !== '')
      errors.set(name, 'The file was not stored: choose it again, and wait until it is uploaded.');
    const text = searched(form, name);
    if (text === '' || (form[name] ?? '') !== (form[valueBeforeSearchName(name)] ?? '')) continue;
    const matches = await findChoices(source, request, { ...sent, form }, target);
    const [only, ...others] = matches.choices;
    const isOnly = only !== undefined && others.length === 0 && (matches.isComplete || only.id === form[name]);
    if (isOnly) form[name] = only.id;
    else {
      searches.set(name, matches);
      errors.set(name, only === undefined ? noteOf(matches, text) : `${noteOf(matches, text)} Choose one.`);
    }
  }
  return { form, searches, errors };
}

/** The result of a search in words. */
export function noteOf({ choices, isComplete }: FieldMatches, text: string): string {
  const first = isComplete ? '' : ' There may be more: type more of the name.';
  if (choices.length === 0) return `Nothing that can be used here begins with ${quotedText(text)}.${first}`;
  return `${count(choices.length, 'match', 'matches')}.${first}`;
}
