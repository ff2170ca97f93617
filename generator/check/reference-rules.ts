// Rules about other resources, fields and lists that descriptors name. Access and placement have their own files.

import { orderTerm } from '../../runtime/schema/order.js';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { suggestion } from '../diagnostics/suggest.js';
import type { RawEvent, RawField } from '../language/language.js';
import { aggregateOf, listsBy } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { FIXED_NAMES } from '../model/fixed.js';
import { pathOf } from '../model/kinds/default-of.js';
import { columnsOf, defaultOfField, kindOf, mayBeEmpty } from '../model/kinds/kinds.js';
import { properties } from './claims.js';
import { findCycles } from './cycles.js';
import type { Project } from './project.js';
import {
  countedReferences,
  type Expectation,
  each,
  eachField,
  fieldThat,
  find,
  findResource,
  type PlaceOf,
  REFERENCE,
  REFERENCE_OF_ONE_OWNER,
  type RuleTable,
  refersToUnknown,
  targetOf,
  unsuitable,
} from './rule.js';
import { at, hasUnclearFields, isMalformed, placeOfValue, type Subject, suggestField } from './subject.js';

export const REFERENCE_RULES: RuleTable = {
  'a reference points at a resource': eachField(function* ({ subject, field, pointer }, project) {
    if (field.to === undefined) return;
    yield* findResource(project, field.to, () => at(subject, [...pointer, 'to'])).mistakes;
  }),

  'unique names fields with a column': each(function* (subject) {
    for (const [index, { fields, where }] of (subject.raw.unique ?? []).entries()) {
      const pointer = ['unique', index, ...(where === undefined ? [] : ['fields'])];
      for (const [inner, name] of fields.entries()) {
        yield* fieldThat(subject, name, () => at(subject, [...pointer, inner]), STORED_AS_IT_IS);
      }
    }
  }),

  'no two sets of unique have the same fields': each(function* (subject) {
    const alone = [...subject.raw.fields].filter(([, { unique }]) => unique).map(([name]) => [name]);
    const together = (subject.raw.unique ?? []).map(({ fields }) => fields);
    const keys = [...alone, ...together].map((names) => [...names].sort().join(', '));
    for (const [index, fields] of keys.entries()) {
      if (keys.indexOf(fields) === index) continue;
      yield diagnostic('E0420', at(subject, ['unique', index - alone.length]), { fields });
    }
  }),

  'order names fields with a column': each(function* (subject) {
    for (const [index, term] of (subject.raw.order ?? []).entries()) {
      const { name } = orderTerm(term);
      const place = () => at(subject, ['order', index]);
      const field = yield* fieldThat(subject, name, place, STORED_AS_IT_IS);
      const isOrdered = field === null || kindOf(field).refers !== null || kindOf(field).sortable;
      if (!isOrdered) yield unsuitable(subject, name, place(), 'text, a whole number or a date');
    }
  }),

  'order names a field once': each(function* (subject) {
    const names = (subject.raw.order ?? []).map((term) => orderTerm(term).name);
    for (const [index, name] of names.entries()) {
      const first = names.indexOf(name);
      // The structure check reports a term that occurs twice.
      if (first === index || subject.raw.order?.[first] === subject.raw.order?.[index]) continue;
      yield diagnostic('E0208', at(subject, ['order', index]), { what: '"order"' });
    }
  }),

  /** The list is read from one shard: both references lead to records of one owner. */
  'a list leads through references of one owner': eachField(function* ({ subject, name, field, pointer }, project) {
    const target = targetOf(field, project);
    for (const [list, { through }] of Object.entries(field.lists ?? {})) {
      if (through === undefined || target === null) continue;
      const place = () => at(subject, [...pointer, 'lists', list, 'through']);
      const next = yield* fieldThat(target, through, place, REFERENCE_OF_ONE_OWNER);
      if (next === null || REFERENCE_OF_ONE_OWNER.fits(field)) continue;
      yield unsuitable(subject, name, place(), REFERENCE_OF_ONE_OWNER.expected);
    }
  }),

  'records are created together below what places them': eachField(function* ({ subject, field, pointer }) {
    if (field.bulk !== true) return;
    const { upload } = subject.raw;
    if (field.place === true && field.list !== undefined && field.list !== false && upload === undefined) return;
    yield diagnostic('E0441', at(subject, [...pointer, 'bulk'], 'key'), {});
  }),

  'brief names properties': each(function* (subject) {
    const known = properties(subject.raw);
    for (const [index, name] of (subject.raw.brief ?? []).entries()) {
      if (known.has(name) || hasUnclearFields(subject)) continue;
      yield unknownField(subject, name, ['brief', index], known);
    }
  }),

  'a computed text names columns': eachField(function* ({ subject, field, pointer }) {
    if (field.text === undefined || hasUnclearFields(subject)) return;
    const known = columns(subject);
    for (const [, name = ''] of field.text.matchAll(/\{([^{}]*)\}/g)) {
      if (!known.has(name)) yield unknownField(subject, name, [...pointer, 'text'], known);
    }
  }),

  'a copy names a text or a number': eachField(function* ({ subject, field, pointer }, project) {
    if (field.copy === undefined) return;
    const place = () => at(subject, [...pointer, 'copy']);
    const [first = '', second] = field.copy.split('.');
    if (second === undefined) yield* fieldThat(subject, first, place, COPYABLE);
    else yield* copiedThrough(yield* fieldThat(subject, first, place, REFERENCE), second, place, project);
  }),

  'a copied default names a text or a number': eachField(function* ({ subject, field, pointer }, project) {
    const fallback = defaultOfField(field);
    if (fallback.is !== 'copied') return;
    const place = () => at(subject, [...pointer, 'default', 'copy']);
    const [first, second] = fallback.path;
    yield* copiedThrough(yield* fieldThat(subject, first, place, REFERENCE_OR_FILE), second, place, project);
  }),

  'a count, a sum or a greatest value names a list on the resource': eachField(function* (
    { subject, field, pointer },
    project,
  ) {
    const aggregate = aggregateOf(field);
    if (aggregate === null) return;
    const lists = listsBelow(subject.raw.resource, project);
    if (lists.includes(aggregate.list) || project.unreadable.size > 0) return;
    if (
      project.subjects.some(
        (one) => hasUnclearFields(one) || isMalformed(one, 'plural') || refersToUnknown(one, project),
      )
    )
      return;
    const holes = { resource: subject.raw.resource, list: aggregate.list };
    yield diagnostic('E0308', at(subject, [...pointer, aggregate.key]), holes, suggestion(aggregate.list, lists));
  }),

  'a sum or a greatest value is of a field of the list': eachField(function* ({ subject, field, pointer }, project) {
    const aggregate = aggregateOf(field);
    if (aggregate === null || aggregate.field === null) return;
    const { key, list, field: name } = aggregate;
    for (const { subject: child } of countedReferences(list, subject.raw.resource, project)) {
      yield* fieldThat(child, name, () => at(subject, [...pointer, key]), key === 'sum' ? SUMMABLE : RANGED);
    }
  }),

  /** A convention may ask for lists by a field that some resources with the convention do not have. */
  'lists for each value are of a choice among texts, whose values can be names': eachField(function* (
    { subject, field, pointer },
    project,
  ) {
    const { list_each: by } = field;
    if (by === undefined) return;
    const place = [...pointer, 'list_each'];
    const { field: chosen, mistakes } = find(subject, by, () => at(subject, place));
    const isShared = !subject.document.has(place) && project.subjects.some((one) => isAlike(one, subject, by));
    if (!isShared) yield* mistakes;
    if (chosen !== null && kindOf(chosen).listed?.type !== 'string') {
      yield unsuitable(subject, by, at(subject, place), 'a choice among texts');
      return;
    }
    for (const [list, { of }] of Object.entries(field.lists ?? {})) {
      if (of === undefined || LIST_NAME.test(list)) continue;
      yield diagnostic('E0322', placeOfValue(subject, by, of), { value: String(of), what: 'a list', name: list });
    }
  }),

  'a text that looks like a copy is meant as text': eachField(function* ({ subject, field, pointer }) {
    for (const key of kindOf(field).copiesDefaults ? (['default', 'fill'] as const) : []) {
      const path = pathOf(field[key]);
      const reference = path === null ? undefined : subject.raw.fields.get(path[0]);
      if (path === null || reference === undefined || kindOf(reference).refers === null) continue;
      yield diagnostic('W0606', at(subject, [...pointer, key]), { path: path.join('.') });
    }
  }),

  'a record that is described has a brief description': eachField(function* ({ subject, field, pointer }, project) {
    if (field.describe !== true || field.to === undefined) return;
    const target = project.byName.get(field.to);
    if (target === undefined || (target.raw.brief ?? []).length > 0 || isMalformed(target, 'brief')) return;
    yield diagnostic('E0325', at(subject, [...pointer, 'describe'], 'key'), { resource: field.to });
  }),

  'a required reference is not set to null': eachField(function* ({ subject, field, pointer }) {
    if (field.on_delete !== 'set_null' || mayBeEmpty(field)) return;
    yield diagnostic('E0406', at(subject, [...pointer, 'on_delete']), {});
  }),

  /** Owner classes, and the records that events carry; a payload is a record or has a schema. */
  'events name resources': function* (project) {
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
  },

  /** If references require each other, none can be set first. Cycles of placement alone have their own rule. */
  'a record can be made before all others that it requires': function* (project) {
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
    for (const { circle, place } of findCycles(edges)) {
      if (circle.slice(0, -1).every((name, at) => isPlacement(name, circle[at + 1]))) continue;
      const where = at(place.subject, ['fields', place.name], 'key');
      yield diagnostic('E0519', where, { circle: circle.join(' -> ') });
    }
  },
};

/** A field with its own column, which includes references. */
const STORED_AS_IT_IS: Expectation = {
  expected: 'a stored value',
  fits: (field) => !kindOf(field).derived && !kindOf(field).secret,
};

/** Names of the table's columns, which a computed text can contain. */
function columns({ raw }: Subject): Set<string> {
  const stored = [...raw.fields].flatMap(([name, field]) => (kindOf(field).secret ? [] : columnsOf(name, field)));
  return new Set([...FIXED_NAMES, ...stored]);
}

/** Texts and numbers can be copied; dates and booleans differ between wire profiles. */
const COPYABLE: Expectation = { expected: 'text or a number', fits: (field) => kindOf(field).copyable };
const REFERENCE_OR_FILE: Expectation = { ...REFERENCE, fits: (field) => kindOf(field).refers !== null };

/** @param reference null if it has its own diagnostic */
function* copiedThrough(
  reference: RawField | null,
  name: string,
  place: PlaceOf,
  project: Project,
): Iterable<Diagnostic> {
  const target = reference === null ? null : targetOf(reference, project);
  if (target !== null) yield* fieldThat(target, name, place, COPYABLE);
}

/** Lists of records that refer here. */
export function listsBelow(parent: string, project: Project): string[] {
  return (project.referring.get(parent) ?? []).flatMap(({ subject, field }) => [...listsBy(field, subject.raw).keys()]);
}

const SUMMABLE: Expectation = { expected: 'a whole number', fits: (field) => kindOf(field).summable };
const RANGED: Expectation = { expected: 'a whole number, a date or a day', fits: (field) => kindOf(field).ranged };

const LIST_NAME = /^[a-z][a-z0-9_]{0,59}$/;

function isAlike({ raw }: Subject, of: Subject, field: string): boolean {
  return raw.extends.some((convention) => of.raw.extends.includes(convention)) && raw.fields.has(field);
}

function unknownField(subject: Subject, name: string, pointer: Pointer, known: Iterable<string>): Diagnostic {
  const holes = { resource: subject.raw.resource, field: name };
  return diagnostic('E0305', at(subject, pointer), holes, suggestField(subject, name, known));
}
