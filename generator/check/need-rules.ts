// Rules about what hand-written code needs of resources, and about declarations without code.
import {
  absentOptions,
  type ProjectShape,
  type ResourceShape,
  type Unmet,
  unmetNeeds,
} from '../../runtime/check-needs.js';
import { type FieldNeed, hasCode, servedBy } from '../../runtime/needs.js';
import { type Diagnostic, diagnostic, type Place } from '../diagnostics/diagnostic.js';
import type { RawField } from '../language/language.js';
import type { LedgerEntry } from '../ledger/ledger.js';
import { mayBeEmpty } from '../model/kinds/kinds.js';
import type { Project } from './project.js';
import { each, isUnknown, type Rule, type RuleTable } from './rule.js';
import { at, fieldOf, isPruned, type Subject } from './subject.js';

const needsAreMet: Rule = function* (project) {
  if (project.code === null) return;
  for (const unmet of unmetNeeds(shapeOf(project), project.code)) yield needDiagnostic(unmet, project);
};

/** "Never had" is one thing; a field that is there under another name is one that its code no longer finds (N05). */
const optionsKeepTheirNames: Rule = function* (project) {
  if (project.code === null) return;
  for (const { resource, field, module, purpose } of absentOptions(shapeOf(project))) {
    const subject = project.byName.get(resource);
    const name = renamedFrom(field, project.extended.ledger.resources[resource]);
    if (subject === undefined || name === null) continue;
    // A rename that databases have already gone through is left to whoever made it.
    const code = renamedFrom(field, project.ledger?.resources[resource]) === null ? 'E0704' : 'W0607';
    yield diagnostic(code, at(subject, ['fields', name], 'key'), { field, name, module, purpose });
  }
};

/** The present name of the column that was once called so; null: there is none. */
function renamedFrom(field: string, entry: LedgerEntry | undefined): string | null {
  const [found] = Object.entries(entry?.columns ?? {}).filter(([, number]) =>
    entry?.formerly?.[number]?.includes(field),
  );
  return found?.[0] ?? null;
}

function shapeOf(project: Project): ProjectShape {
  return {
    resources: [...project.byName.values()].map((subject) => factsOf(subject, project)),
    events: project.spec.events,
    mayHave: (name) => project.hazy.has(name),
  };
}

function needDiagnostic(unmet: Unmet, project: Project): Diagnostic {
  const { module, purpose, write, field, lacks } = unmet;
  const resource = unmet.resource ?? 'the project';
  const holes = { resource, module, purpose, write };
  if (lacks !== null) return diagnostic('E0701', placeOf(unmet, project), { ...holes, what: lacks });
  return diagnostic('E0702', placeOf(unmet, project), { ...holes, field: field ?? '' });
}

function placeOf({ because, resource, field, lacks }: Unmet, project: Project): Place {
  const subject = project.byName.get(resource ?? because?.resource ?? '');
  if (subject === undefined) return project.conventions?.locate([]) ?? NOWHERE;
  if (lacks === null && field !== null) return at(subject, ['fields', field], 'key');
  return at(subject, [because?.resource === subject.raw.resource ? because.key : 'resource'], 'key');
}

const NOWHERE: Place = { path: 'spec/conventions.yaml', start: 0, end: 0 };

function factsOf(subject: Subject, project: Project): ResourceShape {
  const { raw } = subject;
  const given = (key: string, has: boolean): boolean => has || isPruned(subject, key);
  return {
    name: raw.resource,
    principal: raw.principal === true,
    upload: raw.upload !== undefined,
    servedBy: raw.served_by ?? null,
    brief: given('brief', (raw.brief ?? []).length > 0),
    lifecycle: raw.lifecycle ?? [],
    actions: [...raw.actions.keys()],
    field(name: string, _need: FieldNeed) {
      const field = fieldOf(subject, name);
      if (field === 'unclear' || (field?.to !== undefined && isUnknown(field.to, project))) return undefined;
      return (
        field &&
        fieldFacts(
          field,
          (raw.unique ?? []).some(([one, ...more]) => one === name && more.length === 0),
        )
      );
    },
  };
}

function fieldFacts(field: RawField, unique: boolean) {
  const { kind, to, unique: own, read_only, from, set } = field;
  return {
    kind,
    to: to ?? null,
    from: from ?? null,
    unique: unique || own === true,
    filled: !mayBeEmpty(field),
    guarded: read_only === true || from !== undefined || set === 'admin',
  };
}

/** Our own functions, and those a spec brings, are written with the types that gen makes: the compiler names what is missing. */
const declarationsHaveCode = each(function* (subject, { code }) {
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
});

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

export const NEED_RULES: RuleTable = {
  'hand-written code finds what it needs': needsAreMet,
  'what hand-written code uses where it is there keeps its name': optionsKeepTheirNames,
  'what is declared has code': declarationsHaveCode,
};
