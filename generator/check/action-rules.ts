// Rules about actions that only set fields, and about the key that those written by hand must have.
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import type { RawField, Where } from '../language/language.js';
import { type Plain, plain } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { kindOf, mayBeEmpty } from '../model/kinds/kinds.js';
import { misfit } from './literal.js';
import { each, find, type PlaceOf, type RuleTable } from './rule.js';
import { at, isPruned, type Subject } from './subject.js';
import { isStoredValue } from './value-rules.js';

const keysFitTogether = each(function* (subject) {
  for (const [name, action] of Object.entries(plain(subject.merged.actions))) {
    const { by, sets, copies, undo, parameters } = action as Plain;
    const missing = (key: string) =>
      diagnostic('E0204', at(subject, ['actions', name], 'key'), { key, where: ` in actions.${name}` });
    if (isPruned(subject, 'actions', name) || copies !== undefined) continue;
    if (sets === undefined && undo !== undefined) yield missing('sets');
    else if (sets === undefined && by === undefined) yield missing('by');
    if (sets !== undefined && parameters !== undefined) {
      yield diagnostic('E0217', at(subject, ['actions', name, 'parameters'], 'key'), { action: name });
    }
  }
});

interface Setting {
  readonly action: string;
  readonly by: string;
  readonly sets: Where;
  readonly pointer: Pointer;
}

function settingsOf(subject: Subject): readonly Setting[] {
  return [...subject.raw.actions].flatMap(([action, { by, sets, undo }]) => [
    ...(sets === undefined ? [] : [{ action, by, sets, pointer: ['actions', action, 'sets'] }]),
    ...(undo === undefined ? [] : [{ action, by, sets: undo.sets, pointer: ['actions', action, 'undo', 'sets'] }]),
  ]);
}

const whatIsSetFits = each(function* (subject) {
  for (const { sets, pointer } of settingsOf(subject)) {
    for (const [name, value] of Object.entries(sets)) {
      const place = () => at(subject, [...pointer, name]);
      const { field, mistakes } = find(subject, name, place);
      yield* mistakes;
      if (field !== null) yield* fits({ subject, name, field, value }, place);
    }
  }
});

interface Value {
  readonly subject: Subject;
  readonly name: string;
  readonly field: RawField;
  readonly value: unknown;
}

function* fits({ subject, name, field, value }: Value, place: PlaceOf): Iterable<Diagnostic> {
  if (!subject.raw.fields.has(name) || !isStoredValue(field) || kindOf(field).structured) {
    const holes = { field: name, resource: subject.raw.resource, expected: 'a single value that is stored' };
    yield diagnostic('E0316', place(), holes);
    return;
  }
  const problem = value === null ? emptied(field) : misfit(field, value);
  if (problem !== null) yield diagnostic('E0401', place(), { key: 'value', problem });
}

function emptied(field: RawField): string | null {
  return mayBeEmpty(field) ? null : 'the field is never empty';
}

const rightSuffices = each(function* (subject) {
  for (const { action, by, sets, pointer } of settingsOf(subject)) {
    for (const name of Object.keys(sets)) {
      const field = subject.raw.fields.get(name);
      if (field === undefined || !isStoredValue(field)) continue;
      const forAdmins = field.set === 'admin' && by !== 'admin';
      const reason = forAdmins
        ? `only administrators may set ${name}`
        : restsOn(subject, by, name, new Set())
          ? `the right to it depends on ${name}`
          : null;
      if (reason !== null) yield diagnostic('E0418', at(subject, [...pointer, name], 'key'), { action, reason });
    }
  }
});

/** Whether a right, or one that it passes on, is granted by the field. */
function restsOn(subject: Subject, right: string, field: string, seen: Set<string>): boolean {
  const name = right === 'editor' ? 'edit' : right;
  if (seen.has(name)) return false;
  seen.add(name);
  const clauses = subject.raw.access.rights.get(name) ?? [];
  return clauses.some((one) => typeof one === 'string' && (one === field || restsOn(subject, one, field, seen)));
}

const existingIsOneSet = each(function* (subject) {
  const { operations, unique = [], fields, upload } = subject.raw;
  if (typeof operations?.create !== 'object') return;
  const [set, ...others] = unique;
  const place = [...fields].find(([, field]) => field.place === true)?.[0];
  const alone = [...fields.values()].some((field) => field.unique);
  const fits = set !== undefined && others.length === 0 && !alone && place !== undefined && set.includes(place);
  if (fits && upload === undefined) return;
  yield diagnostic('E0419', at(subject, ['operations', 'create', 'existing'], 'key'), {});
});

export const ACTION_RULES: RuleTable = {
  'an action sets fields or takes parameters': keysFitTogether,
  'an action sets fields to values they can have': whatIsSetFits,
  'a create that updates is identified by the one unique set': existingIsOneSet,
  'an action may set its fields, and keeps the right to it': rightSuffices,
};
