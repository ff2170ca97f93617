// Rules about views: nothing may show a value, or let a caller deduce it, that its own view hides.

import { orderTerm } from '../../runtime/schema/order.js';
import { SEARCH_PARAMETERS } from '../../runtime/schema/text-words.js';
import { diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import type { FieldConditions, RawField, RawResource } from '../language/language.js';
import { aggregateOf } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { kindOf, viewerOf } from '../model/kinds/kinds.js';
import { hasWrongLimit } from './literal.js';
import type { Project } from './project.js';
import {
  countedReferences,
  type Expectation,
  each,
  fieldThat,
  isStoredValue,
  type RuleTable,
  STORED_VALUE,
  targetOf,
  unsuitable,
} from './rule.js';
import { at, fieldOf, type Subject } from './subject.js';

export const VIEW_RULES: RuleTable = {
  /** Whether anyone may read a row does not depend on the caller, so that one index serves every caller. */
  'a list of all records holds what everybody may read': each(function* (subject) {
    const { whole, access, fields } = subject.raw;
    const clauses = access.rights.get('read') ?? ['anyone'];
    if (whole === undefined || whole.by === 'admin' || clauses.includes('anyone')) return;
    const flags = clauses.filter(
      (clause) => typeof clause === 'string' && kindOf(fields.get(clause) ?? NO_FIELD).grants === 'when_true',
    );
    if (flags.length === 1 || flags.some((flag) => whole.where[String(flag)] === true)) return;
    yield diagnostic('E0440', at(subject, ['operations', 'list']), { resource: subject.raw.resource });
  }),

  'a copy shows a value to no more callers than its source': each(function* (subject, project) {
    for (const [name, field] of subject.raw.fields) {
      const source = field.copy === undefined ? null : sourceOf(subject, field.copy, project);
      if (field.copy === undefined || source === null || isAsNarrow(viewerOf(field), viewerOf(source))) continue;
      const view = `"view: ${viewerOf(source)}"`;
      const holes = {
        key: 'copy',
        what: field.copy,
        whom: `whom its ${view} excludes`,
        advice: `add ${view} here too`,
      };
      yield diagnostic('E0412', at(subject, ['fields', name, 'copy']), holes);
    }
  }),

  /** A caller who sees a count may read all that it counts: everyone may, or the editors of what the records belong to. */
  'a count shows a number to nobody who may not read what it counts': each(function* (subject, project) {
    for (const [name, field] of subject.raw.fields) {
      const { resource } = subject.raw;
      const aggregate = aggregateOf(field);
      if (aggregate === null) continue;
      const { key, list } = aggregate;
      for (const {
        name: by,
        subject: { raw: counted },
      } of countedReferences(list, resource, project)) {
        if (grantsTo(counted, 'anyone')) continue;
        const isForEditors = grantsTo(counted, by);
        if (isForEditors && isAsNarrow(viewerOf(field), 'editor')) continue;
        const advice = isForEditors
          ? 'add "view: editor"'
          : `add "${by}" to "read" of ${counted.resource}, and "view: editor" here`;
        const holes = { key, what: list, whom: 'who may not read them', advice };
        yield diagnostic('E0412', at(subject, ['fields', name, key]), holes);
      }
    }
  }),

  'a sum or a greatest value shows values to no more callers than their field': each(function* (subject, project) {
    for (const [name, field] of subject.raw.fields) {
      const aggregate = aggregateOf(field);
      if (aggregate === null || aggregate.field === null) continue;
      const { key, list, field: of } = aggregate;
      for (const { subject: counted } of countedReferences(list, subject.raw.resource, project)) {
        const source = knownField(counted, of);
        if (source === null || viewerOf(source) === 'anyone') continue;
        const whom = `whom its "view: ${viewerOf(source)}" excludes`;
        const advice = `remove the view of ${of}`;
        yield diagnostic('E0412', at(subject, ['fields', name, key]), { key, what: `${list}.${of}`, whom, advice });
      }
    }
  }),

  'a filter uses only what everyone sees': each(function* (subject) {
    for (const [name, field] of subject.raw.fields) {
      if (!field.filter || viewerOf(field) === 'anyone') continue;
      const holes = { key: 'filter', field: name, view: viewerOf(field) };
      yield diagnostic('E0413', at(subject, ['fields', name, 'filter'], 'key'), holes);
    }
  }),

  'everyone sees a field that has a path': each(function* (subject) {
    for (const [name, field] of subject.raw.fields) {
      if (typeof field.unique !== 'string' || viewerOf(field) === 'anyone') continue;
      const holes = { key: 'unique', field: name, view: viewerOf(field) };
      yield diagnostic('E0413', at(subject, ['fields', name, 'unique']), holes);
    }
  }),

  'a range is of values in an order': each(function* (subject) {
    for (const [name, field] of subject.raw.fields) {
      if (field.filter !== 'range' || kindOf(field).ranged) continue;
      yield unsuitable(subject, name, at(subject, ['fields', name, 'filter']), 'a whole number, a date or a day');
    }
  }),

  'an order tells only what everyone sees': each(function* (subject) {
    for (const [index, term] of (subject.raw.order ?? []).entries()) {
      const { name } = orderTerm(term);
      const field = knownField(subject, name);
      if (field === null || viewerOf(field) === 'anyone') continue;
      const holes = { key: 'order', field: name, view: viewerOf(field) };
      yield diagnostic('E0413', at(subject, ['order', index]), holes);
    }
  }),

  'a list by values uses only what everyone sees': each(function* (subject) {
    for (const { key, name, place } of listKeys(subject)) {
      const field = knownField(subject, name);
      if (field === null || viewerOf(field) === 'anyone') continue;
      yield diagnostic('E0413', place, { key, field: name, view: viewerOf(field) });
    }
  }),

  'a search finds by short texts that everyone sees': each(function* (subject) {
    const { search = [] } = subject.raw.whole ?? {};
    for (const [index, name] of search.entries()) {
      const place = () => at(subject, ['operations', 'list', 'search', index]);
      const field = yield* fieldThat(subject, name, place, SEARCHABLE);
      if (field !== null && viewerOf(field) !== 'anyone') {
        yield diagnostic('E0413', place(), { key: 'search', field: name, view: viewerOf(field) });
      }
    }
  }),

  'operators find by short texts that editors see': each(function* (subject) {
    for (const [name, field] of subject.raw.fields) {
      if (field.find !== true) continue;
      const place = at(subject, ['fields', name, 'find'], 'key');
      const view = viewerOf(field);
      if (view === 'nobody' || view === 'created') yield diagnostic('E0413', place, { key: 'find', field: name, view });
      else if (!hasWrongLimit(field) && (kindOf(field).limits(field)?.max ?? 0) > FIND_MAX)
        yield unsuitable(subject, name, place, `a text of at most ${FIND_MAX} characters`);
    }
  }),

  /** The index of words stores for each record whether anyone may find it, which changes only with the record itself. */
  'the condition of a search is a stored value': each(function* (subject) {
    const { search, where = {} } = subject.raw.whole ?? {};
    for (const name of search === undefined ? [] : Object.keys(where)) {
      const field = knownField(subject, name);
      if (field === null || isStoredValue(field)) continue;
      yield unsuitable(subject, name, at(subject, ['operations', 'list', 'where', name]), STORED_VALUE.expected);
    }
  }),

  'no filter has the name of the parameter of a search': each(function* (subject) {
    if (subject.raw.whole?.search === undefined) return;
    for (const name of SEARCH_PARAMETERS) {
      if (!subject.raw.fields.get(name)?.filter) continue;
      const holes = { name, other: 'the parameter of "search"' };
      yield diagnostic('E0306', at(subject, ['fields', name, 'filter'], 'key'), holes);
    }
  }),
};

/** Views that show no more than the key; any other view is a right, which only itself and nobody match. */
const AS_NARROW: Readonly<Record<string, readonly string[]>> = {
  anyone: [],
  editor: ['editor', 'created', 'nobody'],
  created: ['created', 'nobody'],
  nobody: ['nobody'],
};

function isAsNarrow(view: string, than: string): boolean {
  return than === 'anyone' || (AS_NARROW[than] ?? [than, 'nobody']).includes(view);
}

/** Whether the word grants the right to read, directly or through another right. */
function grantsTo(resource: RawResource, word: string, right = 'read', seen: ReadonlySet<string> = new Set()): boolean {
  const clauses = resource.access.rights.get(right) ?? (right === 'read' ? ['anyone'] : []);
  return clauses.some((clause) => {
    if (clause === word) return true;
    const next = clause === 'editor' ? 'edit' : clause;
    const isRight = typeof next === 'string' && !resource.fields.has(next) && !seen.has(next);
    return isRight && grantsTo(resource, word, next, new Set([...seen, next]));
  });
}

/** The field that a copy shows; null if it is unknown, which another rule reports. */
function sourceOf(subject: Subject, copy: string, project: Project): RawField | null {
  const [first = '', second] = copy.split('.');
  const field = knownField(subject, first);
  if (second === undefined || field === null) return field;
  const target = targetOf(field, project);
  return target === null ? null : knownField(target, second);
}

function knownField(subject: Subject, name: string): RawField | null {
  const field = fieldOf(subject, name);
  return field === 'unclear' ? null : field;
}

/** The fields whose values define lists, and where the descriptor says so. */
function* listKeys(subject: Subject): Iterable<{ key: string; name: string; place: YamlPosition }> {
  const { fields, whole } = subject.raw;
  const conditions: [FieldConditions | undefined, Pointer][] = [[whole?.where, ['operations', 'list', 'where']]];
  for (const [field, { list_each: by, lists = {} }] of fields) {
    if (by !== undefined) yield { key: 'list_each', name: by, place: at(subject, ['fields', field, 'list_each']) };
    for (const [list, { where, of }] of Object.entries(lists)) {
      // A list with `of` comes from a `list_each`, which is checked where it is declared.
      if (of === undefined) conditions.push([where, ['fields', field, 'lists', list, 'where']]);
    }
  }
  for (const [where = {}, pointer] of conditions) {
    for (const name of Object.keys(where)) {
      yield { key: 'where', name, place: at(subject, [...pointer, name], 'key') };
    }
  }
}

/** The greatest length of a text that can be searched, since no more words of a record are stored. */
const SEARCHED_MAX = 1000;

/** The greatest length of a text by which operators find records: it has an index. */
const FIND_MAX = 255;

const SEARCHABLE: Expectation = {
  expected: `a text of at most ${SEARCHED_MAX} characters`,
  fits(field) {
    const { searchable, limits } = kindOf(field);
    return searchable && (hasWrongLimit(field) || (limits(field)?.max ?? 0) <= SEARCHED_MAX);
  },
};

const NO_FIELD: RawField = { kind: 'computed' };
