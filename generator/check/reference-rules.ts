// Rules about what descriptors name: other resources, fields, lists. Access and placement have their own files.

import { orderTerm } from '../../runtime/schema/order.js';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import type { RawEvent, RawField } from '../language/language.js';
import { listOf } from '../language/list-names.js';
import type { Pointer } from '../load/load.js';
import { pathOf } from '../model/kinds/default-of.js';
import { columnsOf, defaultOf, kindOf, mayBeEmpty } from '../model/kinds/kinds.js';
import { circles } from './circles.js';
import { properties } from './claims.js';
import type { Project } from './project.js';
import {
  each,
  eachField,
  find,
  findResource,
  type PlacedField,
  type Rule,
  type RuleTable,
  refersToUnknown,
  targetOf,
} from './rule.js';
import { at, hasUnclearFields, isPruned, placeOfValue, type Subject } from './subject.js';

const targetIsKnown = eachField(function* ({ subject, field, pointer }, project) {
  if (field.to === undefined) return;
  yield* findResource(project, field.to, () => at(subject, [...pointer, 'to'])).mistakes;
});

const uniqueNamesFields = each(function* (subject) {
  for (const [index, names] of (subject.raw.unique ?? []).entries()) {
    for (const [inner, name] of names.entries()) yield* column(subject, name, ['unique', index, inner]);
  }
});

const orderNamesFields = each(function* (subject) {
  for (const [index, term] of (subject.raw.order ?? []).entries()) {
    const { name } = orderTerm(term);
    yield* column(subject, name, ['order', index]);
    const field = subject.raw.fields.get(name);
    const isOrdered =
      field === undefined || isUnstored(field) || kindOf(field).refers !== null || kindOf(field).sortable;
    if (!isOrdered) yield unfit(subject, name, ['order', index], 'text, a whole number or a date');
  }
});

/** A field that has a column, references among them. */
function* column(subject: Subject, name: string, pointer: Pointer): Iterable<Diagnostic> {
  const { field, mistakes } = find(subject, name, () => at(subject, pointer));
  yield* mistakes;
  if (field !== null && isUnstored(field)) yield unfit(subject, name, pointer, 'a stored value');
}

/** Not stored, or not stored as it is. */
function isUnstored(field: RawField): boolean {
  return kindOf(field).derived || kindOf(field).secret;
}

const orderNamesFieldsOnce = each(function* (subject) {
  const names = (subject.raw.order ?? []).map((term) => orderTerm(term).name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    // The form reports a term that is there twice.
    if (first === index || subject.raw.order?.[first] === subject.raw.order?.[index]) continue;
    yield diagnostic('E0208', at(subject, ['order', index]), { what: '"order"' });
  }
});

const briefNamesProperties = each(function* (subject) {
  const known = properties(subject.raw);
  for (const [index, name] of (subject.raw.brief ?? []).entries()) {
    if (known.has(name) || hasUnclearFields(subject)) continue;
    yield unknownField(subject, name, ['brief', index], known);
  }
});

const textNamesColumns = eachField(function* ({ subject, field, pointer }) {
  if (field.text === undefined || hasUnclearFields(subject)) return;
  const known = columns(subject);
  for (const [, name = ''] of field.text.matchAll(/\{([^{}]*)\}/g)) {
    if (!known.has(name)) yield unknownField(subject, name, [...pointer, 'text'], known);
  }
});

/** Names of the table's columns, which a computed text can contain. */
function columns({ raw }: Subject): Set<string> {
  const stored = [...raw.fields].flatMap(([name, field]) => (kindOf(field).secret ? [] : columnsOf(name, field)));
  return new Set(['id', 'date_created', 'date_updated', ...stored]);
}

const copyNamesAValue = eachField(function* ({ subject, field, pointer }, project) {
  if (field.copy === undefined) return;
  const place = [...pointer, 'copy'];
  const [first = '', second] = field.copy.split('.');
  if (second === undefined) yield* copied(subject, first, { subject, pointer: place });
  else
    yield* throughReference([first, second], { subject, pointer: place }, project, (target) => target.to !== undefined);
});

const defaultNamesAValue = eachField(function* (placed: PlacedField, project) {
  const fallback = defaultOf(placed.field);
  if (fallback.is !== 'copied') return;
  yield* throughReference(
    fallback.path,
    { ...placed, pointer: [...placed.pointer, 'default', 'copy'] },
    project,
    (target) => kindOf(target).refers !== null,
  );
});

interface KeyPlace {
  readonly subject: Subject;
  readonly pointer: Pointer;
}

function* throughReference(
  [first, second]: readonly [string, string],
  key: KeyPlace,
  project: Project,
  leads: (field: RawField) => boolean,
): Iterable<Diagnostic> {
  const { field, mistakes } = find(key.subject, first, () => at(key.subject, key.pointer));
  yield* mistakes;
  if (field === null) return;
  if (!leads(field)) {
    yield unfit(key.subject, first, key.pointer, 'a reference');
    return;
  }
  const target = targetOf(field, project);
  if (target !== null) yield* copied(target, second, key);
}

/** Texts and numbers can be copied; dates and booleans differ between wire profiles. */
function* copied(target: Subject, name: string, { subject, pointer }: KeyPlace): Iterable<Diagnostic> {
  const { field, mistakes } = find(target, name, () => at(subject, pointer));
  yield* mistakes;
  if (field === null || kindOf(field).copyable) return;
  const holes = { field: name, resource: target.raw.resource, expected: 'text or a number' };
  yield diagnostic('E0316', at(subject, pointer), holes);
}

const countNamesAList = eachField(function* ({ subject, field, pointer }, project) {
  if (field.count === undefined) return;
  const lists = listsOn(subject.raw.resource, project);
  if (lists.includes(field.count) || project.hazy.size > 0) return;
  if (project.subjects.some((one) => hasUnclearFields(one) || isPruned(one, 'plural') || refersToUnknown(one, project)))
    return;
  const holes = { resource: subject.raw.resource, list: field.count };
  yield diagnostic('E0308', at(subject, [...pointer, 'count']), holes, suggest(field.count, lists));
});

/** Lists of all records that refer here; those with a condition are not counted. */
function listsOn(parent: string, project: Project): string[] {
  return (project.referring.get(parent) ?? []).flatMap(({ subject, field }) => listOf(field, subject.raw) ?? []);
}

/** A convention may ask for lists by a field that not all of its heirs have. */
const listsAreOfValues = eachField(function* ({ subject, field, pointer }, project) {
  const { list_each: by } = field;
  if (by === undefined) return;
  const place = [...pointer, 'list_each'];
  const { field: chosen, mistakes } = find(subject, by, () => at(subject, place));
  const isShared = !subject.document.has(place) && project.subjects.some((one) => isHeir(one, subject, by));
  if (!isShared) yield* mistakes;
  if (chosen !== null && kindOf(chosen).listed?.type !== 'string') {
    yield unfit(subject, by, place, 'a choice among texts');
    return;
  }
  for (const [list, { of }] of Object.entries(field.lists ?? {})) {
    if (of === undefined || LIST_NAME.test(list)) continue;
    yield diagnostic('E0322', placeOfValue(subject, by, of), { value: String(of), what: 'a list', name: list });
  }
});

const LIST_NAME = /^[a-z][a-z0-9_]{0,59}$/;

function isHeir({ raw }: Subject, of: Subject, field: string): boolean {
  return raw.extends.some((convention) => of.raw.extends.includes(convention)) && raw.fields.has(field);
}

/** The list is read from one shard: both references lead to records of one owner. */
const listsLeadThroughOwners = eachField(function* ({ subject, name, field, pointer }, project) {
  const target = targetOf(field, project);
  for (const [list, { through }] of Object.entries(field.lists ?? {})) {
    if (through === undefined || target === null) continue;
    const place = [...pointer, 'lists', list, 'through'];
    const { field: next, mistakes } = find(target, through, () => at(subject, place));
    yield* mistakes;
    const expected = 'a reference with "place" or "inside"';
    const holes = (field: string, resource: string) => ({ field, resource, expected });
    if (next !== null && !isOfOwner(next))
      yield diagnostic('E0316', at(subject, place), holes(through, target.raw.resource));
    else if (next !== null && !isOfOwner(field)) {
      yield diagnostic('E0316', at(subject, place), holes(name, subject.raw.resource));
    }
  }
});

function isOfOwner({ to, place, inside }: RawField): boolean {
  return to !== undefined && (place === true || inside === true);
}

const pathsAreCopied = eachField(function* ({ subject, field, pointer }) {
  for (const key of kindOf(field).copiesDefaults ? (['default', 'fill'] as const) : []) {
    const path = pathOf(field[key]);
    const reference = path === null ? undefined : subject.raw.fields.get(path[0]);
    if (path === null || reference === undefined || kindOf(reference).refers === null) continue;
    yield diagnostic('W0606', at(subject, [...pointer, key]), { path: path.join('.') });
  }
});

const bulkIsOfTheParent = eachField(function* ({ subject, field, pointer }) {
  if (field.bulk !== true) return;
  const { upload } = subject.raw;
  if (field.place === true && field.list !== undefined && field.list !== false && upload === undefined) return;
  yield diagnostic('E0441', at(subject, [...pointer, 'bulk'], 'key'), {});
});

const describedHaveABrief = eachField(function* ({ subject, field, pointer }, project) {
  if (field.describe !== true || field.to === undefined) return;
  const target = project.byName.get(field.to);
  if (target === undefined || (target.raw.brief ?? []).length > 0 || isPruned(target, 'brief')) return;
  yield diagnostic('E0325', at(subject, [...pointer, 'describe'], 'key'), { resource: field.to });
});

const requiredIsNotEmptied = eachField(function* ({ subject, field, pointer }) {
  if (field.on_delete !== 'set_null' || mayBeEmpty(field)) return;
  yield diagnostic('E0406', at(subject, [...pointer, 'on_delete']), {});
});

/** Of references that require each other, none can be set first. Those of placement alone have a rule of their own. */
const someRecordIsFirst: Rule = function* (project) {
  const edges = new Map<string, { to: string; place: { subject: Subject; name: string; placed: boolean } }[]>();
  for (const subject of project.byName.values()) {
    const required = [...subject.raw.fields].flatMap(([name, field]) => {
      const isRequired = kindOf(field).refers !== null && field.make === undefined && !mayBeEmpty(field);
      const to = isRequired ? targetOf(field, project)?.raw.resource : undefined;
      return to === undefined ? [] : [{ to, place: { subject, name, placed: field.place === true } }];
    });
    edges.set(subject.raw.resource, required);
  }
  const isPlacement = (from: string, to: string | undefined) =>
    (edges.get(from) ?? []).some((edge) => edge.to === to && edge.place.placed);
  for (const { circle, place } of circles(edges)) {
    if (circle.slice(0, -1).every((name, at) => isPlacement(name, circle[at + 1]))) continue;
    const where = at(place.subject, ['fields', place.name], 'key');
    yield diagnostic('E0519', where, { circle: circle.join(' -> ') });
  }
};

/** The owner classes and the records that events carry; a payload is a record or has a schema. */
const eventsNameResources: Rule = function* (project) {
  if (project.events === null) return;
  const { document, value } = project.events;
  const classes = Object.entries((value.owner_classes ?? {}) as Readonly<Record<string, unknown>>);
  for (const [name, resource] of classes) {
    if (typeof resource !== 'string') continue;
    yield* findResource(project, resource, () => document.locate(['owner_classes', name])).mistakes;
  }
  for (const [name, { payload }] of Object.entries((value.events ?? {}) as Readonly<Record<string, RawEvent>>)) {
    if (payload === undefined) continue;
    const { record, schema } = payload;
    const place = (...pointer: readonly string[]) => document.locate(['events', name, 'payload', ...pointer]);
    if ((record === undefined) === (schema === undefined)) yield diagnostic('E0214', place(), { event: name });
    else if (typeof record === 'string') yield* findResource(project, record, () => place('record')).mistakes;
  }
};

function unknownField(subject: Subject, name: string, pointer: Pointer, known: Iterable<string>): Diagnostic {
  const holes = { resource: subject.raw.resource, field: name };
  return diagnostic('E0305', at(subject, pointer), holes, suggest(name, known));
}

function unfit(subject: Subject, name: string, pointer: Pointer, expected: string): Diagnostic {
  return diagnostic('E0316', at(subject, pointer), { field: name, resource: subject.raw.resource, expected });
}

export const REFERENCE_RULES: RuleTable = {
  'a reference points at a resource': targetIsKnown,
  'unique names fields with a column': uniqueNamesFields,
  'order names fields with a column': orderNamesFields,
  'order names a field once': orderNamesFieldsOnce,
  'a list leads through references of one owner': listsLeadThroughOwners,
  'records are created together below what places them': bulkIsOfTheParent,
  'brief names properties': briefNamesProperties,
  'a computed text names columns': textNamesColumns,
  'a copy names a text or a number': copyNamesAValue,
  'a copied default names a text or a number': defaultNamesAValue,
  'a count names a list on the resource': countNamesAList,
  'lists for each value are of a choice among texts, whose values can be names': listsAreOfValues,
  'a text that looks like a copy is meant as text': pathsAreCopied,
  'a record that is described has a brief description': describedHaveABrief,
  'a required reference is not set to null': requiredIsNotEmptied,
  'events name resources': eventsNameResources,
  'a record can be made before all others that it requires': someRecordIsFirst,
};
