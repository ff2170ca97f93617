// Rules about actions that copy a record: they do nothing else, the name of the copy can be sent, and nothing prevents a copy.
import { belongs } from '../../runtime/schema/belonging.js';
import { diagnostic } from '../diagnostics/diagnostic.js';
import type { RawField } from '../language/language.js';
import { plain } from '../language/normalize.js';
import { uniqueSetsOf } from '../language/unique-sets.js';
import { kindOf, mayBeEmpty } from '../model/kinds/kinds.js';
import type { Project } from './project.js';
import { each, find, type RuleTable } from './rule.js';
import { at, hasUnclearFields, isPruned, type Subject } from './subject.js';

/** Keys of an action that say what it does. */
const OTHERS = ['parameters', 'sets', 'undo'] as const;

const doesNothingElse = each(function* (subject) {
  for (const [name, action] of Object.entries(plain(subject.merged.actions))) {
    const keys = plain(action);
    if (keys.copies === undefined || isPruned(subject, 'actions', name)) continue;
    for (const key of OTHERS.filter((one) => keys[one] !== undefined)) {
      yield diagnostic('E0445', at(subject, ['actions', name, key], 'key'), { action: name, key });
    }
  }
});

const nameIsSent = each(function* (subject) {
  for (const { action, field: name } of copiesOf(subject)) {
    const place = () => at(subject, ['actions', action, 'copies']);
    const { field, mistakes } = find(subject, name, place);
    yield* mistakes;
    if (field === null || (kindOf(field).copiesDefaults && mayBeSent(subject, name, field))) continue;
    const holes = { field: name, resource: subject.raw.resource, expected: 'a text that callers may send' };
    yield diagnostic('E0316', place(), holes);
  }
});

const canBeCopied = each(function* (subject, project) {
  for (const copying of copiesOf(subject)) {
    const reason = reasonAgainst(subject, copying, project);
    const place = at(subject, ['actions', copying.action, 'copies'], 'key');
    if (reason !== null) yield diagnostic('E0446', place, { resource: subject.raw.resource, reason });
  }
});

function reasonAgainst(subject: Subject, { field, by }: Copying, project: Project): string | null {
  const { principal, upload, served_by } = subject.raw;
  if (principal) return 'its records are the users who log in';
  if (upload !== undefined) return 'the resource stores uploads';
  if (served_by !== undefined) return 'a module of its own serves them';
  if (by !== 'editor' && by !== 'admin') return 'the copy has the same owner, so "by" must be editor or admin';
  const all = [{ part: subject, by: field }, ...partsOf(subject, project)];
  const making = all.find(({ part }) => [...part.raw.fields.values()].some(({ make }) => make !== undefined));
  if (making !== undefined) return `each ${making.part.raw.resource} has a record that was made with it`;
  const [same] = all.flatMap(({ part, by: own }) => sameSets(part, own).map((set) => ({ part, set })));
  if (same === undefined) return null;
  return `no two records of ${same.part.raw.resource} may have the same ${same.set.join(' and ')}`;
}

interface Copying {
  readonly action: string;
  /** With the name of the copy. */
  readonly field: string;
  readonly by: string;
}

function copiesOf({ raw }: Subject): readonly Copying[] {
  return [...raw.actions].flatMap(([action, { copies, by }]) =>
    copies === undefined ? [] : [{ action, field: copies, by }],
  );
}

/** Whether a copy may have its value; what an action sets is as in a new record. */
function mayBeSent({ raw }: Subject, name: string, { read_only, from, set }: RawField): boolean {
  const isSet = [...raw.actions.values()].some(({ sets, undo }) => name in { ...sets, ...undo?.sets });
  return read_only !== true && from === undefined && set !== 'admin' && !isSet;
}

interface Part {
  readonly part: Subject;
  /** The reference to what it belongs to. */
  readonly by: string;
}

function partsOf(subject: Subject, project: Project, seen: readonly Subject[] = []): readonly Part[] {
  const referring = (project.referring.get(subject.raw.resource) ?? []).filter((one) => isPart(one.subject, one.field));
  return referring.flatMap(({ subject: part, name: by }, at) => {
    // If a part has several references, the first counts.
    if (referring[at - 1]?.subject === part || seen.includes(part)) return [];
    return [{ part, by }, ...partsOf(part, project, [...seen, part])];
  });
}

function isPart({ raw }: Subject, { place = false, on_delete = 'restrict', need = 'edit' }: RawField): boolean {
  const create = raw.operations?.create ?? true;
  return belongs({
    ...{ place, need, onDelete: on_delete },
    create: create === false ? null : create === 'admin' ? create : 'session',
    storesUploads: raw.upload !== undefined,
    isServed: raw.served_by !== undefined,
  });
}

/** The unique sets in which a copy would have the values of the original. @param own a field whose value is always its own */
function sameSets(subject: Subject, own: string): readonly (readonly string[])[] {
  const { fields } = subject.raw;
  if (hasUnclearFields(subject)) return [];
  const differs = (name: string): boolean => {
    const field = fields.get(name);
    return field === undefined || name === own || differsInCopy(subject, name, field);
  };
  return uniqueSetsOf(subject.raw).filter((set) => !set.some(differs));
}

/** The copy has a value of its own, or none, and empty values are never duplicates. */
function differsInCopy(subject: Subject, name: string, field: RawField): boolean {
  if (field.from === 'random') return true;
  // References are those of the original, whoever set them.
  const isKept = kindOf(field).refers !== null && field.set !== 'admin';
  return mayBeEmpty(field) && !isKept && !mayBeSent(subject, name, field);
}

export const COPY_RULES: RuleTable = {
  'an action that copies does nothing else': doesNothingElse,
  'the name of a copy is a text that callers may send': nameIsSent,
  'a copy is possible': canBeCopied,
};
