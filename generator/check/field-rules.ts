// Rules about how fields are written: inheritance, short forms, the kind, keys that apply to it, and values that the service
// sets.

import { isMap } from '../../runtime/contract/is-map.js';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { suggestion } from '../diagnostics/suggest.js';
import { isRepeated, PARENT, repeatedNames } from '../form/short-forms.js';
import { NAME_FORM } from '../language/keywords.js';
import type { RawField } from '../language/language.js';
import { expandKind, type PlainMap, plain } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { maySet } from '../model/kinds/kind.js';
import { KINDS, keysOfKind, kindOf, kindsThat, kindsWith, neededKeys, PARAMETER_KINDS } from '../model/kinds/kinds.js';
import {
  each,
  eachField,
  fieldMaps,
  isPrincipal,
  isUnknown,
  type ResourceRule,
  type Rule,
  type RuleTable,
} from './rule.js';
import { at, type Convention, extendsUnknown, isMalformed, type Subject } from './subject.js';

export const FIELD_RULES: RuleTable = {
  'a convention that is extended exists': each(function* (subject, project) {
    if (project.conventions === null || !project.conventions.sound || isMalformed(subject)) return;
    const known = project.spec.conventions;
    for (const [index, convention] of subject.raw.extends.entries()) {
      if (known.includes(convention) || isMalformed(subject, 'extends')) continue;
      yield diagnostic('E0304', extended(subject, index), { convention }, suggestion(convention, known));
    }
  }),

  'conventions give a key the same value, or the resource gives it': each(function* (subject) {
    const { document, conventions } = subject;
    for (const [index, later] of conventions.entries()) {
      for (const earlier of conventions.slice(0, index)) {
        for (const path of disagreements(earlier, later).filter((pointer) => !isSettled(subject, pointer))) {
          const holes = { one: earlier.name, other: later.name, key: path.join('.') };
          yield diagnostic('E0324', extended(subject, subject.raw.extends.indexOf(later.name)), holes);
        }
      }
    }

    /** The resource gives the key itself, or has no such field. */
    function isSettled({ short }: Subject, pointer: Pointer): boolean {
      return (
        document.has(pointer) || (pointer[0] === 'fields' && !Object.hasOwn(plain(short.fields), String(pointer[1])))
      );
    }
  }),

  'null drops an inherited field': each(function* ({ document, conventions, raw }) {
    for (const [field, written] of Object.entries(plain(document.value.fields))) {
      const inherited = conventions.flatMap(({ keys }) => Object.keys(plain(keys.fields)));
      if (written !== null || inherited.includes(field) || raw.extends.length > conventions.length) continue;
      yield diagnostic('E0323', document.locate(['fields', field], 'key'), { field }, suggestion(field, inherited));
    }
  }),

  'a repeated field has {n} in its name and a number of times': each(function* (subject) {
    for (const [field, written] of Object.entries(plain(subject.short.fields))) {
      const { times } = expandKind(written);
      if (isRepeated(field) && times === undefined) {
        yield diagnostic('E0204', at(subject, ['fields', field], 'key'), {
          key: 'times',
          where: ` in fields.${field}`,
        });
      }
      if (!isRepeated(field) && times !== undefined) {
        yield diagnostic('E0216', at(subject, ['fields', field, 'times'], 'key'), { field, number: '{n}' });
      }
    }
  }),

  'the number of a repeated field is only in its own keys': eachField(function* ({ subject, field, pointer }) {
    for (const key of WITH_NAMES) {
      const value = field[key];
      if (value === undefined) continue;
      const names = isMap(value) ? Object.keys(value) : [value];
      for (const name of names.flat().filter((one) => typeof one === 'string' && isRepeated(one))) {
        const where = ` in ${[...pointer, key].join('.')}`;
        yield diagnostic('E0209', at(subject, [...pointer, key], 'key'), {
          name: JSON.stringify(name),
          where,
          form: NAME_FORM,
        });
      }
    }
  }),

  'repeated fields have different names': each(function* (subject) {
    const taken = new Map<string, string>();
    for (const [field, written] of Object.entries(plain(subject.short.fields))) {
      if (!isRepeated(field)) continue;
      const names = repeatedNames(field, expandKind(written).times);
      const name = names.find((one) => taken.has(one));
      const other = name === undefined ? undefined : taken.get(name);
      for (const one of names) taken.set(one, field);
      if (name === undefined || other === undefined) continue;
      yield diagnostic('E0306', at(subject, ['fields', field], 'key'), { name, other: `"${other}"` });
    }
  }),

  'one reference is the parent': eachField(function* ({ subject, field, pointer }) {
    if (field.parent !== true) return;
    yield diagnostic('E0505', at(subject, [...pointer, PARENT], 'key'), { other: subject.origins.parent ?? '' });
  }),

  'a field is not called parent': each(function* (subject): Iterable<Diagnostic> {
    if (!subject.raw.fields.has(PARENT)) return;
    const reason = 'it stands for the reference with "parent: true"';
    yield diagnostic('E0307', at(subject, ['fields', PARENT], 'key'), { name: PARENT, reason });
  }),

  'a field has a kind': eachWritten(function* ({ subject, name, keys, pointer }) {
    if (keys.kind !== undefined || extendsUnknown(subject) || isMalformed(subject, 'fields')) return;
    yield diagnostic('E0211', at(subject, pointer, 'key'), { field: name, kinds: KINDS.join(', ') });
  }),

  'a key belongs to the kind of its field': eachWritten(function* ({ subject, keys, pointer }) {
    if (keys.kind === undefined) return;
    const kind = String(keys.kind);
    const allowed = keysOfKind(kind);
    for (const key of Object.keys(keys).filter((one) => !allowed.includes(one))) {
      const kinds = kindsWith(key).join(', ');
      yield diagnostic('E0210', at(subject, [...pointer, key], 'key'), { kind, key, kinds });
    }
  }),

  'a reference says to what, an enum its values': eachWritten(function* ({ subject, keys, pointer }) {
    for (const key of neededKeys(String(keys.kind))) {
      if (keys[key] !== undefined) continue;
      yield diagnostic('E0204', at(subject, pointer, 'key'), { key, where: ` in ${pointer.join('.')}` });
    }
  }),

  'a computed field has exactly one source': eachWritten(function* ({ subject, name, keys, pointer }) {
    if (!DERIVED.includes(String(keys.kind))) return;
    if (['copy', 'count', 'sum', 'latest', 'text'].filter((key) => keys[key] !== undefined).length === 1) return;
    yield diagnostic('E0212', at(subject, pointer, 'key'), { field: name });
  }),

  'a parameter of an action is a plain value': eachWritten(function* ({ subject, keys, pointer, action }) {
    const kind = String(keys.kind);
    if (!action || keys.kind === undefined || PARAMETER_KINDS.includes(kind)) return;
    yield diagnostic('E0213', at(subject, [...pointer, 'kind']), { kind, kinds: PARAMETER_KINDS.join(', ') });
  }),

  'a parameter of an action is not stored': eachWritten(function* ({ subject, keys, pointer, action }) {
    for (const key of action ? COLUMNS_KEYS.filter((one) => keys[one] !== undefined) : []) {
      yield diagnostic('E0215', at(subject, [...pointer, key], 'key'), { key });
    }
  }),

  'what the service sets is not asked of callers': eachField(function* ({ subject, field, pointer }) {
    if (maySet(field)) return;
    const ofSource = field.from === undefined ? CALLERS_KEYS : [...CALLERS_KEYS, 'default' as const];
    const clashes = field.make === undefined ? ofSource : MADE_KEYS;
    for (const key of clashes) {
      if (field[key] === undefined || field[key] === false) continue;
      yield diagnostic('E0407', at(subject, [...pointer, key], 'key'), { key });
    }
  }),

  'a source fills a field of its kind': eachField(function* ({ subject, field, pointer }) {
    const { from, kind } = field;
    if (from === undefined || kindOf(field).filledBy.includes(from)) return;
    const fits = kindsThat(({ filledBy }) => filledBy.includes(from)).join(' or ');
    const holes = { source: from, fits: `a field of kind ${fits}`, kind };
    yield diagnostic('E0408', at(subject, [...pointer, 'from']), holes);
  }),

  'what is read from an upload needs uploads': eachField(function* ({ subject, field, pointer }) {
    if (subject.raw.upload !== undefined || isMalformed(subject, 'upload')) return;
    for (const { key, source } of sources(field)) {
      if (!source.startsWith('upload.')) continue;
      yield diagnostic('E0510', at(subject, [...pointer, key]), { source, resource: subject.raw.resource });
    }
  }),

  'session.user fills a reference to the principal': eachField(function* ({ subject, field, pointer }, project) {
    if (field.to === undefined || project.principal === null || isPrincipal(field.to, project)) return;
    if (isUnknown(field.to, project)) return;
    for (const { key, source } of sources(field)) {
      if (source !== 'session.user') continue;
      const holes = { principal: project.principal.raw.resource, to: field.to };
      yield diagnostic('E0515', at(subject, [...pointer, key]), holes);
    }
  }),
};

function extended({ document }: Subject, index: number) {
  const item: Pointer = ['extends', index];
  return document.locate(document.has(item) ? item : ['extends']);
}

/** Keys to which two conventions give different values. */
function disagreements({ keys: one }: Convention, { keys: other }: Convention): readonly Pointer[] {
  const merged = new Set(['fields', 'access', 'operations']);
  const whole = differing(one, other).filter(([key]) => !merged.has(key));
  const entries = (['access', 'operations'] as const).flatMap((key) =>
    differing(plain(one[key]), plain(other[key])).map(([entry]) => [key, entry]),
  );
  const fields = Object.keys(plain(one.fields)).flatMap((name) => {
    const [first, second] = [expandKind(plain(one.fields)[name]), expandKind(plain(other.fields)[name])];
    return differing(first, second).map(([key]) => ['fields', name, key]);
  });
  return [...whole, ...entries, ...fields];
}

function differing(one: PlainMap, other: PlainMap): readonly (readonly [string])[] {
  return Object.keys(one).flatMap((key) =>
    Object.hasOwn(other, key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]) ? [[key] as const] : [],
  );
}

/** Keys that hold names, in which {n} stands for the number. */
const WITH_NAMES = ['was', 'synonyms', 'shown_as', 'list', 'lists'] as const;

/** A field as written, after merging, valid or not. */
interface WrittenField {
  readonly subject: Subject;
  readonly name: string;
  readonly keys: PlainMap;
  readonly pointer: Pointer;
  readonly action: boolean;
}

function eachWritten(rule: (written: WrittenField) => Iterable<Diagnostic>): Rule {
  const ofResource: ResourceRule = function* (subject, project) {
    for (const { pointer, fields, action } of fieldMaps(subject, project)) {
      for (const [name, field] of Object.entries(fields)) {
        if (isMalformed(subject, 'fields', name) && !action) continue;
        yield* rule({ subject, name, keys: expandKind(field), pointer: [...pointer, name], action });
      }
    }
  };
  return each(ofResource, ({ subjects, shared }) => [...subjects, shared]);
}

const DERIVED = kindsThat(({ derived }) => derived);

/** Keys about a column or a record. */
const COLUMNS_KEYS = [
  'times',
  'default',
  'fill',
  'synonyms',
  'read_only',
  'view',
  'shown_as',
  'filter',
  'find',
  'unique',
  'was',
  'from',
];

/** Keys about what callers send, which do not apply to a field that callers cannot send. */
const CALLERS_KEYS = ['required', 'set', 'synonyms'] as const;

/** Keys that `make` on a reference implies or contradicts. */
const MADE_KEYS = [
  ...CALLERS_KEYS,
  ...([
    'default',
    'fill',
    'from',
    'parent',
    'need',
    'on_delete',
    'place',
    'inside',
    'list',
    'lists',
    'bulk',
    'unique',
  ] as const),
];

function sources(field: RawField): { key: 'from' | 'default'; source: string }[] {
  const { from, default: value } = field;
  const worked = value === 'upload.name' || value === 'session.user' ? value : undefined;
  return [
    ...(from === undefined ? [] : [{ key: 'from' as const, source: from }]),
    ...(worked === undefined ? [] : [{ key: 'default' as const, source: worked }]),
  ];
}
