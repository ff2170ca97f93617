// Rules about what a path contains: lists and actions below a record, and base paths of operations.

import type { Operation } from '../../runtime/definition.js';
import { type Diagnostic, diagnostic, type Place } from '../diagnostics/diagnostic.js';
import { listOf } from '../language/list-names.js';
import type { Pointer } from '../load/load.js';
import { undoOf } from '../model/find.js';
import { HOOK_ROUTES, hasHookRoutes } from '../model/hook-routes.js';
import { kindOf } from '../model/kinds/kinds.js';
import { remembered } from '../remembered.js';
import type { Project } from './project.js';
import type { PlaceOf, Rule, RuleTable } from './rule.js';
import { at, placeOfValue, type Subject, written } from './subject.js';

interface Below {
  readonly parent: string;
  readonly name: string;
  /** Who has the name, in words. */
  readonly owner: string;
  readonly place: PlaceOf;
}

/** `/api/<parent>/<id>/<name>`: lists, actions, and in `_relationships` the references of the parent. */
const namesBelowARecordAreTakenOnce: Rule = function* (project) {
  const taken = new Map<string, Below>();
  for (const below of [...actionsAndReferences(project), ...lists(project)]) {
    const key = `${below.parent}/${below.name}`;
    const other = taken.get(key);
    if (other === undefined) taken.set(key, below);
    else yield diagnostic('E0309', below.place(), { parent: below.parent, name: below.name, other: other.owner });
  }
};

function actionsAndReferences(project: Project): Below[] {
  return [...project.byName.values()].flatMap((subject) => {
    const parent = subject.raw.resource;
    const undoing = [...subject.raw.actions].flatMap(([name, { undo }]) => (undo === undefined ? [] : [undoOf(name)]));
    const actions = [...undoing, ...subject.raw.actions.keys()].map((name) => ({
      parent,
      name,
      owner: `the action "${name}"`,
      place: () => at(subject, ['actions', name], 'key'),
    }));
    const references = [...subject.raw.fields].filter(([, field]) => kindOf(field).related);
    const related = references.map(([name]) => ({
      parent,
      name,
      owner: `the reference "${name}"`,
      place: () => at(subject, ['fields', name], 'key'),
    }));
    const brought = hasHookRoutes({ servedBy: subject.raw.served_by ?? null }) ? HOOK_ROUTES : [];
    const routes = brought.map(({ name }) => ({
      parent,
      name,
      owner: 'the module of "served_by"',
      place: () => at(subject, ['served_by']),
    }));
    const { uses } = subject.raw.upload ?? {};
    const using =
      uses === undefined
        ? []
        : [
            {
              parent,
              name: uses,
              owner: 'the list of what uses an upload',
              place: () => at(subject, ['upload', 'uses']),
            },
          ];
    const self = {
      parent,
      name: 'self',
      owner: 'the link to the record itself',
      place: () => at(subject, ['resource']),
    };
    return [...actions, ...related.filter(({ name }) => !subject.raw.actions.has(name)), ...routes, ...using, self];
  });
}

function lists(project: Project): Below[] {
  return [...project.byName.values()].flatMap((subject) =>
    [...subject.raw.fields].flatMap(([name, field]) => {
      const { to } = field;
      if (to === undefined) return [];
      const list = (listName: string, pointer: Pointer, which: 'key' | 'value'): Below => ({
        parent: to,
        name: listName,
        owner: `a list of ${subject.raw.resource}`,
        place: () => placeOfList(subject, ['fields', name, ...pointer], which),
      });
      const own = listOf(field, subject.raw);
      const additional = Object.entries(field.lists ?? {}).map(([listName, { of, through }]) => {
        const onward = through === undefined ? to : (project.byName.get(to)?.raw.fields.get(through)?.to ?? to);
        const below = { ...list(listName, ['lists', listName], 'key'), parent: onward };
        return of === undefined ? below : { ...below, place: () => placeOfValue(subject, field.list_each ?? '', of) };
      });
      return [...(own === null ? [] : [list(own, ['list'], 'value')]), ...additional];
    }),
  );
}

/** A list that a convention declares takes its name from the resource, so it is reported at the resource's plural. */
function placeOfList(subject: Subject, pointer: Pointer, which: 'key' | 'value'): Place {
  const [first] = written(subject, pointer);
  return first?.document === subject.document ? at(subject, pointer, which) : at(subject, ['plural']);
}

const OPERATIONS: readonly Operation[] = ['create', 'fetch', 'update', 'delete'];

interface Alias {
  readonly subject: Subject;
  readonly operation: Operation;
  readonly path: string;
  readonly pointer: Pointer;
}

function aliasesOf({ byName }: Project): readonly Alias[] {
  return [...byName.values()].flatMap((subject) => aliases(subject));
}

const aliases = remembered((subject: Subject): readonly Alias[] =>
  (['all', ...OPERATIONS] as const).flatMap((key) =>
    (subject.raw.paths?.[key] ?? []).flatMap((path, index) =>
      (key === 'all' ? OPERATIONS : [key]).map((operation) => ({
        subject,
        operation,
        path,
        pointer: subject.document.has(['paths', key, index]) ? ['paths', key, index] : ['paths', key],
      })),
    ),
  ),
);

const aliasesAreTakenOnce: Rule = function* (project) {
  const taken = new Map<string, Alias>();
  for (const alias of aliasesOf(project)) {
    const key = `${alias.operation} ${alias.path}`;
    const other = taken.get(key);
    if (other === undefined) taken.set(key, alias);
    else yield clash(alias, other.subject);
  }
};

const aliasIsNotTheResourcesOwn: Rule = function* (project) {
  for (const alias of aliasesOf(project)) {
    if (alias.path === `/api/${alias.subject.raw.resource}`) yield clash(alias, alias.subject);
  }
};

/** Paths of the service itself, and all below them. */
export const FIXED_PATHS = [
  ...['/api/session', '/api/status', '/files', '/healthz', '/readyz', '/metrics', '/openapi.json'],
  ...['/docs', '/assets', '/favicon.ico', '/console'],
] as const;

const aliasIsNotTheServicesOwn: Rule = function* (project) {
  for (const alias of aliasesOf(project)) {
    if (FIXED_PATHS.some((fixed) => alias.path === fixed || alias.path.startsWith(`${fixed}/`)))
      yield clash(alias, null);
  }
};

/** At an old name everything is as at the name of the type, so that nothing else can be there. */
const oldNamesAreFree: Rule = function* (project) {
  const taken = new Map<string, Pick<Alias, 'subject' | 'operation'>>();
  for (const alias of aliasesOf(project)) taken.set(alias.path, alias);
  for (const [name, subject] of project.byName) taken.set(`/api/${name}`, { subject, operation: 'create' });
  for (const subject of project.byName.values()) {
    const written: unknown = subject.merged.old_names;
    for (const { name } of subject.raw.old_names ?? []) {
      const path = `/api/${name}`;
      const other = taken.get(path);
      const pointer = ['old_names', ...(Array.isArray(written) ? [written.indexOf(name)] : [])];
      const isFixed = FIXED_PATHS.some((fixed) => path === fixed);
      if (other === undefined && !isFixed) taken.set(path, { subject, operation: 'create' });
      else yield clash({ subject, path, pointer, operation: other?.operation ?? 'create' }, other?.subject ?? null);
    }
  }
};

/** @param other null: the service itself */
function clash({ subject, operation, path, pointer }: Alias, other: Subject | null): Diagnostic {
  const own = other === null ? 'the service' : other === subject ? 'this resource' : other.raw.resource;
  return diagnostic('E0310', at(subject, pointer), { operation, path, other: own });
}

/** An id distinguishes two resources under one path (D32), but a record that is being created has none yet. */
const createIsNotShared: Rule = function* (project) {
  for (const { subject, operation, path, pointer } of aliasesOf(project)) {
    const other = /^\/api\/([a-z0-9]+)$/.exec(path)?.[1];
    if (operation !== 'create' || other === undefined || other === subject.raw.resource) continue;
    if (project.byName.has(other)) yield diagnostic('E0311', at(subject, pointer), { path, other });
  }
};

export const PATH_RULES: RuleTable = {
  'a name below a record is taken once': namesBelowARecordAreTakenOnce,
  'an alias of a path is taken once': aliasesAreTakenOnce,
  'an alias differs from the path of its resource': aliasIsNotTheResourcesOwn,
  'an alias is not a path of the service itself': aliasIsNotTheServicesOwn,
  "an old name is nobody else's path": oldNamesAreFree,
  'creating is not shared between resources': createIsNotShared,
};
