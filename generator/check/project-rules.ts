// Rules about the project as a whole: the principal, uploads, owners of events, and what hand-written code needs.

import type { FieldNeed } from '../../runtime/contract/needs.js';
import {
  type ProjectShape,
  type ResourceShape,
  type Unmet,
  type UsedField,
  unmetNeeds,
  usedFields,
} from '../../runtime/schema/check-needs.js';
import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { suggestion } from '../diagnostics/suggest.js';
import type { RawField } from '../language/language.js';
import type { LedgerEntry } from '../ledger/ledger.js';
import { readFill } from '../model/kinds/default-of.js';
import { maySet } from '../model/kinds/kind.js';
import { kindOf, mayBeEmpty } from '../model/kinds/kinds.js';
import { carriedNeeds, hasCode, type RenamedField, rolesOf, servedBy } from '../model/needs.js';
import { pascalCase } from '../model/type-names.js';
import { isPlaced } from './placement-rules.js';
import type { Project } from './project.js';
import { each, eachField, isUnknown, type RuleTable } from './rule.js';
import { at, fieldOf, isMalformed, type Subject } from './subject.js';

export const PROJECT_RULES: RuleTable = {
  'conventions.yaml exists': function* (project) {
    if (project.conventions === null)
      yield diagnostic('E0516', { path: 'spec/conventions.yaml', start: 0, end: 0 }, {});
  },

  'one resource is the principal': function* (project) {
    const [first, ...others] = project.subjects.filter(({ raw }) => raw.principal);
    for (const other of others) {
      yield diagnostic('E0502', at(other, ['principal'], 'key'), { other: first?.raw.resource ?? '' });
    }
    const place = project.conventions?.locate([]) ?? { path: 'spec/conventions.yaml', start: 0, end: 0 };
    if (first === undefined && !mayDeclare(project, 'principal')) yield diagnostic('E0501', place, {});
  },

  'at most one resource stores uploads': function* (project) {
    const [first, ...others] = project.subjects.filter(({ raw }) => raw.upload);
    for (const other of others) {
      yield diagnostic('E0503', at(other, ['upload'], 'key'), { other: first?.raw.resource ?? '' });
    }
  },

  'images and files need a resource that stores uploads': eachField(function* ({ subject, field, pointer }, project) {
    if (kindOf(field).refers !== 'upload') return;
    if (project.uploads !== null || mayDeclare(project, 'upload')) return;
    yield diagnostic('E0504', at(subject, pointer, 'key'), { kind: field.kind });
  }),

  'a convention is extended by some resource': function* (project) {
    if (project.conventions === null || project.unreadable.size > 0) return;
    const used = new Set(project.subjects.flatMap(({ raw }) => raw.extends));
    for (const convention of project.spec.conventions.filter((name) => !used.has(name))) {
      yield diagnostic('W0601', project.conventions.locate(['conventions', convention], 'key'), { convention });
    }
  },

  /** If one value of a field is an event, the field is assumed to list events. */
  'values next to events are events': eachField(function* ({ subject, field, pointer }, { spec }) {
    const { values = [] } = field;
    const isEvent = (value: string | number): boolean => spec.events.some((event) => event === value);
    if (!values.some(isEvent)) return;
    for (const [index, value] of values.entries()) {
      if (isEvent(value)) continue;
      const free = spec.events.filter((event) => !values.includes(event));
      const near = suggestion(String(value), free);
      yield diagnostic('W0602', at(subject, [...pointer, 'values', index]), { value: String(value) }, near);
    }
  }),

  /** An unknown name under `owner_classes` is reported where it is written. */
  'the owner class of an event has a resource': function* ({ events, spec, byName, unreadable }) {
    if (events === null) return;
    const named = (events.value.owner_classes ?? {}) as object;
    for (const [name, { owner_class: owner }] of Object.entries(spec.eventBodies)) {
      if (typeof owner !== 'string' || Object.hasOwn(named, owner)) continue;
      const resource = spec.ownerClasses[owner] ?? '';
      if (byName.has(resource) || unreadable.has(resource)) continue;
      const place = events.document.locate(['events', name, 'owner_class']);
      const classes = [...Object.keys(named), ...[...byName.keys()].map(pascalCase)];
      yield diagnostic('E0326', place, { class: owner }, suggestion(owner, classes));
    }
  },

  /** An event goes to web hooks of the user above its owner. */
  'the owner of an event has a placement': function* (project) {
    const { events, spec, byName, principal } = project;
    if (events === null || principal === null) return;
    for (const [name, { owner_class: owner }] of Object.entries(spec.eventBodies)) {
      const subject = typeof owner === 'string' ? byName.get(spec.ownerClasses[owner] ?? '') : undefined;
      if (subject === undefined || isPlaced(subject, project)) continue;
      const place = events.document.locate(['events', name, 'owner_class']);
      yield diagnostic('E0507', place, { end: subject.raw.resource });
    }
  },

  'hand-written code finds what it needs': function* (project) {
    if (project.code === null) return;
    for (const unmet of unmetNeeds(shapeOf(project), project.code)) yield needDiagnostic(unmet, project);
  },

  /** A rename carries the fields that the table of needs says it carries; the code would not find any other (N05). */
  'hand-written code follows a rename, or it is refused': function* (project) {
    if (project.code === null) return;
    for (const used of usedFields(shapeOf(project))) {
      const now = project.extended.ledger.resources[used.resource];
      const subject = project.byName.get(used.resource);
      const name = now && renamedFrom(now, used);
      if (subject === undefined || name === undefined || used.present === name) continue;
      const code = renameProblem(used, project.ledger?.resources[used.resource]);
      if (code !== null) yield diagnostic(code, at(subject, ['fields', name], 'key'), { ...holesOf(used), name });
    }
  },

  /** Our own functions and those of a spec are written with the types that gen makes: the compiler names what is missing. */
  'what is declared has code': each(function* (subject, { code }) {
    const { raw } = subject;
    if (code === null) return;
    const { served_by: module, resource } = raw;
    if (module !== undefined && !hasCode(resource, 'served_by', module)) {
      const expected = `there is code for ${servedBy().join(', ')}`;
      yield without(subject, ['served_by'], { what: `"served_by: ${module}"`, expected });
    }
    if (code !== 'shared') return;
    for (const [index, step] of (raw.lifecycle ?? []).entries()) {
      if (!hasCode(resource, 'lifecycle', step)) {
        const write = `lifecycles: Lifecycles = { ${resource}: { ${step}: (old, row, now) => undefined } }`;
        yield without(subject, ['lifecycle', index], {
          what: `the lifecycle function ${step}`,
          expected: inFunctions(write),
        });
      }
    }
    for (const [action, { sets, copies }] of raw.actions) {
      if (sets !== undefined || copies !== undefined || hasCode(resource, 'actions', action)) continue;
      const write = `actions: Actions = { ${resource}: { ${action}: (row, input, now) => undefined } }`;
      yield without(subject, ['actions', action], { what: `the action "${action}"`, expected: inFunctions(write) });
    }
    for (const [name, field] of raw.fields) {
      const fill = readFill(field);
      if (fill.is !== 'by_function') continue;
      const write = `fills: Fills = { ${resource}: { ${fill.function}: (row) => … } }`;
      const what = `the function "${fill.function}" that fills ${name}`;
      yield without(subject, ['fields', name, 'fill', 'function'], { what, expected: inFunctions(write) });
    }
  }),
};

/** A file that cannot be read may be the one that declares the key. */
function mayDeclare(project: Project, key: 'principal' | 'upload'): boolean {
  return project.unreadable.size > 0 || project.subjects.some((subject: Subject) => isMalformed(subject, key));
}

function holesOf({ module, purpose, field }: UsedField) {
  return { module, purpose, field };
}

/** The diagnostic for a need whose field was renamed; null for renames that databases have gone through already. */
function renameProblem(used: UsedField, before: LedgerEntry | undefined): 'E0704' | 'E0705' | 'W0607' | null {
  const isPast = before !== undefined && renamedFrom(before, used) !== undefined;
  if (used.present !== null) return isPast && before.columns[columnOfNeed(used)] !== undefined ? null : 'E0705';
  // A needed field that is gone is reported as missing (E0701).
  if (!used.optional) return null;
  return isPast ? 'W0607' : 'E0704';
}

/** The current name of a field that once had the name in the table. */
function renamedFrom(entry: LedgerEntry, used: UsedField): string | undefined {
  const column = columnOfNeed(used);
  const renamed = renamedColumns(entry).find(({ name, formerly }) => name !== column && formerly.includes(column));
  return used.isReference ? renamed?.name.replace(/_id$/, '') : renamed?.name;
}

function columnOfNeed({ field, isReference }: UsedField): string {
  return isReference ? `${field}_id` : field;
}

function renamedColumns({ columns, formerly = {} }: LedgerEntry): readonly RenamedField[] {
  return Object.entries(columns).map(([name, number]) => ({ name, formerly: formerly[number] ?? [] }));
}

function shapeOf(project: Project): ProjectShape {
  return {
    resources: [...project.byName.values()].map((subject) => factsOf(subject, project)),
    events: project.spec.events,
    mayHave: (name) => project.unreadable.has(name),
  };
}

function needDiagnostic(unmet: Unmet, project: Project): Diagnostic {
  const { module, purpose, write, field, lacks } = unmet;
  const resource = unmet.resource ?? 'the project';
  const holes = { resource, module, purpose, write };
  if (lacks !== null) return diagnostic('E0701', placeOf(unmet, project), { ...holes, what: lacks });
  return diagnostic('E0702', placeOf(unmet, project), { ...holes, field: field ?? '' });
}

function placeOf({ because, resource, field, lacks }: Unmet, project: Project): YamlPosition {
  const subject = project.byName.get(resource ?? because?.resource ?? '');
  if (subject === undefined) return project.conventions?.locate([]) ?? NOWHERE;
  if (lacks === null && field !== null) return at(subject, ['fields', field], 'key');
  return at(subject, [because?.resource === subject.raw.resource ? because.key : 'resource'], 'key');
}

const NOWHERE: YamlPosition = { path: 'spec/conventions.yaml', start: 0, end: 0 };

function factsOf(subject: Subject, project: Project): ResourceShape {
  const { raw } = subject;
  const named = { name: raw.resource, principal: raw.principal === true, upload: raw.upload !== undefined };
  const entry = project.extended.ledger.resources[raw.resource];
  const given = (key: string, has: boolean): boolean => has || isMalformed(subject, key);
  return {
    ...named,
    servedBy: raw.served_by ?? null,
    brief: given('brief', (raw.brief ?? []).length > 0),
    lifecycle: raw.lifecycle ?? [],
    actions: [...raw.actions.keys()],
    needs: entry === undefined ? {} : carriedNeeds(rolesOf(named), renamedColumns(entry)),
    field(name: string, _need: FieldNeed) {
      const field = fieldOf(subject, name);
      if (field === 'unclear' || (field?.to !== undefined && isUnknown(field.to, project))) return undefined;
      return (
        field &&
        fieldFacts(
          field,
          (raw.unique ?? []).some(({ fields, where }) => where === undefined && isAlone(fields, name)),
        )
      );
    },
  };
}

function isAlone(fields: readonly string[], name: string): boolean {
  return fields.length === 1 && fields[0] === name;
}

function fieldFacts(field: RawField, unique: boolean) {
  const { kind, to, unique: own, from, set } = field;
  return {
    kind,
    to: to ?? null,
    from: from ?? null,
    unique: unique || Boolean(own),
    filled: !mayBeEmpty(field),
    guarded: !maySet(field) || set === 'admin',
  };
}

/** What to write, and where; the types are generated. */
function inFunctions(declaration: string): string {
  return `write it in functions/index.ts in the spec folder: export const ${declaration}`;
}

function without(
  subject: Subject,
  pointer: readonly (string | number)[],
  { what, expected }: { readonly what: string; readonly expected: string },
): Diagnostic {
  const holes = { resource: subject.raw.resource, what, expected };
  return diagnostic('E0703', at(subject, pointer, pointer[0] === 'actions' ? 'key' : 'value'), holes);
}
