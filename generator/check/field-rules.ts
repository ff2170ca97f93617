// Rules about one field and its keys: its kind, keys that apply to the kind, and what the service sets itself.
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import type { RawField } from '../language/language.js';
import { type Plain, writtenOut } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { KINDS, keysOf, kindOf, kindsThat, kindsWith, neededKeys, PARAMETER_KINDS } from '../model/kinds/kinds.js';
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
import { at, extendsUnknown, isPruned, type Subject } from './subject.js';

/** A field as written, after merging, valid or not. */
interface Written {
  readonly subject: Subject;
  readonly name: string;
  readonly keys: Plain;
  readonly pointer: Pointer;
  readonly action: boolean;
}

function eachWritten(rule: (written: Written) => Iterable<Diagnostic>): Rule {
  const judge: ResourceRule = function* (subject, project) {
    for (const { pointer, fields, action } of fieldMaps(subject, project)) {
      for (const [name, field] of Object.entries(fields)) {
        if (isPruned(subject, 'fields', name) && !action) continue;
        yield* rule({ subject, name, keys: writtenOut(field), pointer: [...pointer, name], action });
      }
    }
  };
  return each(judge, ({ subjects, shared }) => [...subjects, shared]);
}

const kindIsGiven = eachWritten(function* ({ subject, name, keys, pointer }) {
  if (keys.kind !== undefined || extendsUnknown(subject) || isPruned(subject, 'fields')) return;
  yield diagnostic('E0211', at(subject, pointer, 'key'), { field: name, kinds: KINDS.join(', ') });
});

const keysFitTheKind = eachWritten(function* ({ subject, keys, pointer }) {
  if (keys.kind === undefined) return;
  const kind = String(keys.kind);
  const allowed = keysOf(kind);
  for (const key of Object.keys(keys).filter((one) => !allowed.includes(one))) {
    const kinds = kindsWith(key).join(', ');
    yield diagnostic('E0210', at(subject, [...pointer, key], 'key'), { kind, key, kinds });
  }
});

const neededKeysAreThere = eachWritten(function* ({ subject, keys, pointer }) {
  for (const key of neededKeys(String(keys.kind))) {
    if (keys[key] !== undefined) continue;
    yield diagnostic('E0204', at(subject, pointer, 'key'), { key, where: ` in ${pointer.join('.')}` });
  }
});

const DERIVED = kindsThat(({ derived }) => derived);

const computedHasOneSource = eachWritten(function* ({ subject, name, keys, pointer }) {
  if (!DERIVED.includes(String(keys.kind))) return;
  if (['copy', 'count', 'text'].filter((key) => keys[key] !== undefined).length === 1) return;
  yield diagnostic('E0212', at(subject, pointer, 'key'), { field: name });
});

const parametersAreValues = eachWritten(function* ({ subject, keys, pointer, action }) {
  const kind = String(keys.kind);
  if (!action || keys.kind === undefined || PARAMETER_KINDS.includes(kind)) return;
  yield diagnostic('E0213', at(subject, [...pointer, 'kind']), { kind, kinds: PARAMETER_KINDS.join(', ') });
});

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
  'unique',
  'was',
  'from',
];

const parametersHaveNoColumn = eachWritten(function* ({ subject, keys, pointer, action }) {
  for (const key of action ? COLUMNS_KEYS.filter((one) => keys[one] !== undefined) : []) {
    yield diagnostic('E0215', at(subject, [...pointer, key], 'key'), { key });
  }
});

/** Keys about what callers send, on a field that callers cannot send. */
const CALLERS_KEYS = ['required', 'set', 'synonyms'] as const;

/** What follows from `make` about a reference, or contradicts it. */
const MADE_KEYS = [
  ...CALLERS_KEYS,
  ...([
    'default',
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

const serviceSetsIt = eachField(function* ({ subject, field, pointer }) {
  if (field.from === undefined && field.read_only !== true) return;
  const ofSource = field.from === undefined ? CALLERS_KEYS : [...CALLERS_KEYS, 'default' as const];
  const clashes = field.make === undefined ? ofSource : MADE_KEYS;
  for (const key of clashes) {
    if (field[key] === undefined || field[key] === false) continue;
    yield diagnostic('E0407', at(subject, [...pointer, key], 'key'), { key });
  }
});

const sourceFitsTheKind = eachField(function* ({ subject, field, pointer }) {
  const { from, kind } = field;
  if (from === undefined || kindOf(field).filledBy.includes(from)) return;
  const fits = kindsThat(({ filledBy }) => filledBy.includes(from)).join(' or ');
  const holes = { source: from, fits: `a field of kind ${fits}`, kind };
  yield diagnostic('E0408', at(subject, [...pointer, 'from']), holes);
});

const uploadsAreStored = eachField(function* ({ subject, field, pointer }) {
  if (subject.raw.upload !== undefined || isPruned(subject, 'upload')) return;
  for (const { key, source } of sources(field)) {
    if (!source.startsWith('upload.')) continue;
    yield diagnostic('E0510', at(subject, [...pointer, key]), { source, resource: subject.raw.resource });
  }
});

const sessionUserIsThePrincipal = eachField(function* ({ subject, field, pointer }, project) {
  if (field.to === undefined || project.principal === null || isPrincipal(field.to, project)) return;
  if (isUnknown(field.to, project)) return;
  for (const { key, source } of sources(field)) {
    if (source !== 'session.user') continue;
    const holes = { principal: project.principal.raw.resource, to: field.to };
    yield diagnostic('E0515', at(subject, [...pointer, key]), holes);
  }
});

function sources(field: RawField): { key: 'from' | 'default'; source: string }[] {
  const { from, default: value } = field;
  const worked = value === 'upload.name' || value === 'session.user' ? value : undefined;
  return [
    ...(from === undefined ? [] : [{ key: 'from' as const, source: from }]),
    ...(worked === undefined ? [] : [{ key: 'default' as const, source: worked }]),
  ];
}

export const FIELD_RULES: RuleTable = {
  'a field has a kind': kindIsGiven,
  'a key belongs to the kind of its field': keysFitTheKind,
  'a reference says to what, an enum its values': neededKeysAreThere,
  'a computed field has exactly one source': computedHasOneSource,
  'a parameter of an action is a plain value': parametersAreValues,
  'a parameter of an action is not stored': parametersHaveNoColumn,
  'what the service sets is not asked of callers': serviceSetsIt,
  'a source fills a field of its kind': sourceFitsTheKind,
  'what is read from an upload needs uploads': uploadsAreStored,
  'session.user fills a reference to the principal': sessionUserIsThePrincipal,
};
