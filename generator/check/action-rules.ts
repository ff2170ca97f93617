// Rules about actions, which set fields or copy a record, and about records that are made with others (D40).

import { isPartOfTarget } from '../../runtime/schema/part-of-target.js';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import type { FieldConditions, RawField, RawResource } from '../language/language.js';
import { type PlainMap, plain, uniqueSetsOf } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { maySet } from '../model/kinds/kind.js';
import { defaultOfField, kindOf, mayBeEmpty } from '../model/kinds/kinds.js';
import { referenceBack } from '../model/kinds/reference.js';
import { whyRequired, whyUnsuitable } from './literal.js';
import type { Project } from './project.js';
import { each, eachField, fieldThat, find, isStoredValue, type PlacedField, type RuleTable, targetOf } from './rule.js';
import { at, hasUnclearFields, isMalformed, type Subject } from './subject.js';

export const ACTION_RULES: RuleTable = {
  'an action sets fields or takes parameters': each(function* (subject) {
    for (const [name, action] of Object.entries(plain(subject.merged.actions))) {
      const { by, sets, copies, undo, parameters } = action as PlainMap;
      const missing = (key: string) =>
        diagnostic('E0204', at(subject, ['actions', name], 'key'), { key, where: ` in actions.${name}` });
      if (isMalformed(subject, 'actions', name) || copies !== undefined) continue;
      if (sets === undefined && undo !== undefined) yield missing('sets');
      else if (sets === undefined && by === undefined) yield missing('by');
      if (sets !== undefined && parameters !== undefined) {
        yield diagnostic('E0217', at(subject, ['actions', name, 'parameters'], 'key'), { action: name });
      }
    }
  }),

  'an action sets fields to values they can have': each(function* (subject) {
    for (const { sets, pointer } of settingsOf(subject)) {
      for (const [name, value] of Object.entries(sets)) {
        const place = () => at(subject, [...pointer, name]);
        const field = yield* fieldThat(subject, name, place, {
          expected: 'a single value that is stored',
          fits: (one) => subject.raw.fields.has(name) && isStoredValue(one) && !kindOf(one).structured,
        });
        const problem = field === null ? null : value === null ? whyRequired(field) : whyUnsuitable(field, value);
        if (problem !== null) yield diagnostic('E0401', place(), { key: 'value', problem });
      }
    }
  }),

  'a create that updates is identified by the one unique set': each(function* (subject) {
    const { operations, unique = [], fields, upload } = subject.raw;
    if (typeof operations?.create !== 'object') return;
    const [set, ...others] = unique;
    const place = [...fields].find(([, field]) => field.place === true)?.[0];
    const alone = [...fields.values()].some((field) => field.unique);
    const isOnlySet = set !== undefined && set.where === undefined && others.length === 0 && !alone;
    const fits = isOnlySet && place !== undefined && set.fields.includes(place);
    if (fits && upload === undefined) return;
    yield diagnostic('E0419', at(subject, ['operations', 'create', 'existing'], 'key'), {});
  }),

  'an action may set its fields, and keeps the right to it': each(function* (subject) {
    for (const { action, by, sets, pointer } of settingsOf(subject)) {
      for (const name of Object.keys(sets)) {
        const field = subject.raw.fields.get(name);
        if (field === undefined || !isStoredValue(field)) continue;
        const forAdmins = field.set === 'admin' && by !== 'admin';
        const reason = forAdmins
          ? `only administrators may set ${name}`
          : dependsOn(subject, by, name, new Set())
            ? `the right to it depends on ${name}`
            : null;
        if (reason !== null) yield diagnostic('E0418', at(subject, [...pointer, name], 'key'), { action, reason });
      }
    }
  }),

  'an action that copies does nothing else': each(function* (subject) {
    for (const [name, action] of Object.entries(plain(subject.merged.actions))) {
      const keys = plain(action);
      if (keys.copies === undefined || isMalformed(subject, 'actions', name)) continue;
      for (const key of OTHERS.filter((one) => keys[one] !== undefined)) {
        yield diagnostic('E0445', at(subject, ['actions', name, key], 'key'), { action: name, key });
      }
    }
  }),

  'the name of a copy is a text that callers may send': each(function* (subject) {
    for (const { action, field: name } of copiesOf(subject)) {
      yield* fieldThat(subject, name, () => at(subject, ['actions', action, 'copies']), {
        expected: 'a text that callers may send',
        fits: (field) => kindOf(field).copiesDefaults && mayBeSent(subject, name, field),
      });
    }
  }),

  'a copy is possible': each(function* (subject, project) {
    for (const copying of copiesOf(subject)) {
      const reason = reasonAgainst(subject, copying, project);
      const place = at(subject, ['actions', copying.action, 'copies'], 'key');
      if (reason !== null) yield diagnostic('E0446', place, { resource: subject.raw.resource, reason });
    }
  }),

  'a made record is placed with its maker': eachMaking(function* ({ placed: { subject, pointer }, target, back }) {
    if (back !== null) return;
    const holes = { made: target.raw.resource, maker: subject.raw.resource };
    yield diagnostic('E0450', at(subject, [...pointer, 'make'], 'key'), holes);
  }),

  'the values of a made record fit its fields': eachMaking(function* ({
    placed: { subject, pointer },
    target,
    values,
  }) {
    for (const [name, value] of Object.entries(values)) {
      const place = at(subject, [...pointer, 'make', name]);
      const { field, mistakes } = find(target, name, () => at(subject, [...pointer, 'make', name], 'key'));
      yield* mistakes;
      if (field === null) continue;
      const problem = isSent(field) ? whyUnsuitable(field, value) : null;
      const holes = { field: name, resource: target.raw.resource, expected: 'a value that callers can send' };
      if (!isSent(field)) yield diagnostic('E0316', place, holes);
      else if (problem !== null) yield diagnostic('E0401', place, { key: name, problem });
    }
  }),

  /** Defaults that the session would fill in do not count: a start makes records without a session. */
  'a made record lacks nothing': eachMaking(function* ({ placed: { subject, pointer }, target, values, back }) {
    for (const [name, field] of target.raw.fields) {
      const isOfSession = field.default === 'session.user' || field.from === 'session.user';
      const needed = !kindOf(field).derived && (field.required === true || isOfSession);
      if (!needed || name === back || back === null || Object.hasOwn(values, name)) continue;
      const holes = { made: target.raw.resource, field: name };
      yield diagnostic('E0451', at(subject, [...pointer, 'make'], 'key'), holes);
    }
  }),

  'a made record can be made by data alone, any number of times': eachMaking(function* (making) {
    const { placed, target, back } = making;
    const [reason] = back === null ? [] : obstacles(making, back);
    if (reason === undefined) return;
    const place = at(placed.subject, [...placed.pointer, 'make'], 'key');
    yield diagnostic('E0452', place, { made: target.raw.resource, reason });
  }),
};

interface SettingAction {
  readonly action: string;
  readonly by: string;
  readonly sets: FieldConditions;
  readonly pointer: Pointer;
}

function settingsOf(subject: Subject): readonly SettingAction[] {
  return [...subject.raw.actions].flatMap(([action, { by, sets, undo }]) => [
    ...(sets === undefined ? [] : [{ action, by, sets, pointer: ['actions', action, 'sets'] }]),
    ...(undo === undefined ? [] : [{ action, by, sets: undo.sets, pointer: ['actions', action, 'undo', 'sets'] }]),
  ]);
}

/** Whether the field grants a right, directly or through other rights. */
function dependsOn(subject: Subject, right: string, field: string, seen: Set<string>): boolean {
  const name = right === 'editor' ? 'edit' : right;
  if (seen.has(name)) return false;
  seen.add(name);
  const clauses = subject.raw.access.rights.get(name) ?? [];
  return clauses.some((one) => typeof one === 'string' && (one === field || dependsOn(subject, one, field, seen)));
}

/** Keys of an action that say what it does. */
const OTHERS = ['parameters', 'sets', 'undo'] as const;

function reasonAgainst(subject: Subject, { field, by }: CopyAction, project: Project): string | null {
  const { principal, upload, served_by } = subject.raw;
  if (principal) return 'its records are the users who log in';
  if (upload !== undefined) return 'the resource stores uploads';
  if (served_by !== undefined) return 'a module of its own serves them';
  if (by !== 'editor' && by !== 'admin') return 'the copy has the same owner, so "by" must be editor or admin';
  const all = [{ part: subject, by: field }, ...partsOf(subject, project)];
  const making = all.find(({ part }) => [...part.raw.fields.values()].some(({ make }) => make !== undefined));
  if (making !== undefined) return `each ${making.part.raw.resource} has a record that was made with it`;
  const reading = all.find(({ part }) => part.raw.reads !== undefined);
  if (reading !== undefined) return `a function of ${reading.part.raw.resource} would not see the copies beside it`;
  const [same] = all.flatMap(({ part, by }) => sameSets(part, by).map((set) => ({ part, set })));
  if (same === undefined) return null;
  return `no two records of ${same.part.raw.resource} may have the same ${same.set.join(' and ')}`;
}

interface CopyAction {
  readonly action: string;
  /** The field that names the copy. */
  readonly field: string;
  readonly by: string;
}

function copiesOf({ raw }: Subject): readonly CopyAction[] {
  return [...raw.actions].flatMap(([action, { copies, by }]) =>
    copies === undefined ? [] : [{ action, field: copies, by }],
  );
}

/** Whether a copy may be given a value of its own; what an action sets is as in a new record. */
function mayBeSent({ raw }: Subject, name: string, field: RawField): boolean {
  const isSet = [...raw.actions.values()].some(({ sets, undo }) => name in { ...sets, ...undo?.sets });
  return maySet(field) && field.set !== 'admin' && !isSet;
}

interface CopiedPart {
  readonly part: Subject;
  /** The reference to the record that it belongs to. */
  readonly by: string;
}

function partsOf(subject: Subject, project: Project, seen: readonly Subject[] = []): readonly CopiedPart[] {
  const referring = (project.referring.get(subject.raw.resource) ?? []).filter((one) => isPart(one.subject, one.field));
  return referring.flatMap(({ subject: part, name: by }, at) => {
    // If a part has several references, the first counts.
    if (referring[at - 1]?.subject === part || seen.includes(part)) return [];
    return [{ part, by }, ...partsOf(part, project, [...seen, part])];
  });
}

function isPart({ raw }: Subject, { place = false, on_delete = 'restrict', need = 'edit' }: RawField): boolean {
  const create = raw.operations?.create ?? true;
  return isPartOfTarget({
    ...{ place, need, onDelete: on_delete },
    create: create === false ? null : create === 'admin' ? create : 'session',
    storesUploads: raw.upload !== undefined,
    isServed: raw.served_by !== undefined,
  });
}

/** The unique sets in which a copy would have the values of the original. @param reference a field that always differs */
function sameSets(subject: Subject, reference: string): readonly (readonly string[])[] {
  const { fields } = subject.raw;
  if (hasUnclearFields(subject)) return [];
  const differs = (name: string): boolean => {
    const field = fields.get(name);
    return field === undefined || name === reference || differsInCopy(subject, name, field);
  };
  return uniqueSetsOf(subject.raw).flatMap((set) => (set.fields.some(differs) ? [] : [set.fields]));
}

/** The copy has a value of its own, or none; empty values are never duplicates. */
function differsInCopy(subject: Subject, name: string, field: RawField): boolean {
  if (field.from === 'random') return true;
  // References are copied, regardless of who set them.
  const isKept = kindOf(field).refers !== null && field.set !== 'admin';
  return mayBeEmpty(field) && !isKept && !mayBeSent(subject, name, field);
}

/** A field with `make`, and the record that it makes. */
interface MakeContext {
  readonly placed: PlacedField;
  readonly target: Subject;
  readonly values: Readonly<Record<string, unknown>>;
  /** The field of the target that refers back; null if missing. */
  readonly back: string | null;
}

function eachMaking(rule: (making: MakeContext) => Iterable<Diagnostic>) {
  return eachField(function* (placed, project) {
    const { make: values } = placed.field;
    const target = values === undefined ? null : targetOf(placed.field, project);
    if (values === undefined || target === null || hasUnclearFields(target)) return;
    const { resource } = placed.subject.raw;
    const back = referenceBack(target.raw, resource);
    yield* rule({ placed, target, values, back });
  });
}

function isSent(field: RawField): boolean {
  return isStoredValue(field) && maySet(field);
}

function obstacles({ placed, target, values }: MakeContext, back: string): readonly string[] {
  const { raw } = target;
  const others = [...placed.subject.raw.fields.values()].filter(
    ({ make, to }) => make !== undefined && to === raw.resource,
  );
  const isSame = (name: string): boolean =>
    Object.hasOwn(values, name) || (name === back ? others.length > 1 : hasFixedDefault(raw, name));
  return [
    ...(raw.upload === undefined ? [] : ['it needs an upload']),
    ...(raw.served_by === undefined ? [] : ['a module of its own serves it']),
    ...(raw.lifecycle ?? []).filter((one) => one.endsWith('Create')).map((one) => `it has ${one}`),
    ...uniqueSetsOf(raw)
      .filter((set) => set.fields.every(isSame))
      .map((set) => `"${set.fields.join(', ')}" would not be unique`),
    ...[...raw.fields].flatMap(([name, { on_delete }]) =>
      on_delete === 'cascade' && name !== back ? [`it would also be deleted with its "${name}"`] : [],
    ),
  ];
}

function hasFixedDefault({ fields }: RawResource, name: string): boolean {
  const field = fields.get(name);
  return field !== undefined && (defaultOfField(field).is === 'literal' || kindOf(field).unset !== undefined);
}
