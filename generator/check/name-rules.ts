// Rules about names: of resources, their files, their fields in the API, and what the paths of the API contain.

import type { Operation } from '../../runtime/contract/definition.js';
import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { NAME_FORM } from '../language/keywords.js';
import { listOf, nameOf } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { memoizeByObject } from '../memoize.js';
import { undoName } from '../model/find.js';
import { kindOf } from '../model/kinds/kinds.js';
import { HOOK_ROUTES, hasHookRoutes } from '../model/routes.js';
import { type Claim, claimedNames, NO_IDENTIFIERS, OWN_RESOURCES, RESERVED, TYPES } from './claims.js';
import type { Project } from './project.js';
import { each, type PlaceOf, type RuleTable } from './rule.js';
import { at, isMalformed, keyLocations, placeOfValue, type Subject } from './subject.js';

export const NAME_RULES: RuleTable = {
  'a file is named after its resource': each(function* (subject) {
    const { resource } = subject.raw;
    const file = nameOf(subject.document.path);
    if (!subject.document.has(['resource']) && !/^[a-z][a-z0-9]{0,59}$/.test(file)) {
      yield diagnostic('E0209', at(subject, []), {
        name: JSON.stringify(file),
        where: ' of the file',
        form: NAME_FORM,
      });
    }
    if (resource === file || isMalformed(subject, 'resource')) return;
    yield diagnostic('E0301', at(subject, ['resource']), { resource, file: subject.document.path });
  }),

  'a resource is described once': function* (project) {
    for (const subject of project.subjects) {
      const first = project.byName.get(subject.raw.resource);
      if (first === undefined || first === subject) continue;
      const holes = { resource: subject.raw.resource, other: first.document.path };
      yield diagnostic('E0302', at(subject, ['resource']), holes);
    }
  },

  'a name in the API comes from one field': each(function* (subject) {
    const { identities, fields = {} } = subject.merged;
    if (identities !== undefined && Object.hasOwn(fields as object, 'identity')) {
      yield diagnostic('E0306', at(subject, ['fields', 'identity'], 'key'), {
        name: 'identity',
        other: '"identities"',
      });
    }
    const taken = new Map<string, Claim>();
    for (const claim of claimedNames(subject.raw)) {
      const key = `${claim.role} ${claim.name}`;
      const other =
        taken.get(key) ?? taken.get(`${claim.role === 'property' ? 'parameter' : 'property'} ${claim.name}`);
      const clash = other !== undefined && (other.owner !== claim.owner || other.role === claim.role);
      if (clash) {
        const holes = { name: claim.name, other: `"${other.owner}"` };
        yield diagnostic('E0306', at(subject, claim.pointer, 'key'), holes);
      } else taken.set(key, claim);
    }
  }),

  'an ignored parameter is not a declared one': each(function* (subject) {
    const parameters = new Map(
      claimedNames(subject.raw)
        .filter(({ role }) => role === 'parameter')
        .map((claim) => [claim.name, claim.owner]),
    );
    for (const [index, name] of (subject.raw.ignores ?? []).entries()) {
      const owner = parameters.get(name);
      if (owner === undefined) continue;
      yield diagnostic('E0306', at(subject, ['ignores', index]), { name, other: `"${owner}"` });
    }
  }),

  'reserved names are not used': each(function* (subject) {
    for (const { name, pointer } of claimedNames(subject.raw)) {
      const reason = RESERVED.get(name);
      if (reason !== undefined) yield diagnostic('E0307', at(subject, pointer, 'key'), { name, reason });
    }
  }),

  /** `top` means top_id and has_proofed_top. The same holds for a synonym, so it must not contain the prefix or suffix itself. */
  'a synonym of an image or file is a base name': each(function* (subject) {
    for (const [name, field] of subject.raw.fields) {
      for (const [index, synonym] of (field.synonyms ?? []).entries()) {
        if (kindOf(field).accepted(synonym, field).includes(synonym)) continue;
        const base = synonym.replace(/^has_proofed_/, '').replace(/_id$/, '');
        if (base === synonym) continue;
        yield diagnostic(
          'E0321',
          at(subject, ['fields', name, 'synonyms', index]),
          { kind: field.kind, synonym },
          { word: synonym, name: base, isCertain: false },
        );
      }
    }
  }),

  /** Both are sent as parts of one form. */
  'the part of an upload is not a parameter': each(function* (subject) {
    const { upload } = subject.raw;
    const other = claimedNames(subject.raw).find(({ name, role }) => role === 'parameter' && name === upload?.part);
    if (upload === undefined || other === undefined) return;
    yield diagnostic('E0306', at(subject, ['upload', 'part']), { name: upload.part, other: `"${other.owner}"` });
  }),

  'the name of a resource is neither a TypeScript keyword nor a resource of the service': each(function* (subject) {
    const { resource: name } = subject.raw;
    if (isMalformed(subject, 'resource')) return;
    const reason = OWN_RESOURCES.has(name)
      ? 'the service defines it itself'
      : 'generated code cannot use it as an identifier';
    if (!NO_IDENTIFIERS.has(name) && !OWN_RESOURCES.has(name)) return;
    yield diagnostic('E0307', at(subject, ['resource']), { name, reason });
  }),

  'a right does not have a reserved name': each(function* (subject) {
    const reason = subject.raw.access.rights.has('constructor') ? RESERVED.get('constructor') : undefined;
    if (reason === undefined) return;
    yield diagnostic('E0307', at(subject, ['access', 'constructor'], 'key'), { name: 'constructor', reason });
  }),

  'a path leads to an operation that is offered': each(function* (subject) {
    const { operations = {}, paths = {} } = subject.raw;
    for (const operation of OPERATIONS) {
      if (operations[operation] !== false || paths[operation] === undefined) continue;
      yield diagnostic('E0421', at(subject, ['paths', operation], 'key'), { operation });
    }
  }),

  'a path by a unique value leads to a fetch': each(function* (subject) {
    if (subject.raw.operations?.fetch !== false) return;
    for (const { operation, pointer } of lookups(subject))
      yield diagnostic('E0421', at(subject, pointer), { operation });
  }),

  'an old name can be part of a path': each(function* (subject) {
    const { old_names: names = [], fields } = subject.raw;
    const { old_names: written } = subject.merged;
    if (written === 'identities' && !fields.has('identity') && !isMalformed(subject, 'identities')) {
      yield diagnostic('E0404', at(subject, ['old_names']), { key: 'old_names: identities' });
    }
    for (const { name, identity } of names) {
      if (identity === null || /^[a-z][a-z0-9]{0,59}$/.test(name)) continue;
      const holes = { value: identity, what: 'a path', name };
      yield diagnostic('E0322', placeOfValue(subject, 'identity', identity), holes);
    }
  }),

  'a token leads to its record': each(function* (subject) {
    const { resource, served_by } = subject.raw;
    for (const [index, name] of tokensOf(subject).entries()) {
      const reason = served_by !== undefined ? 'a module of its own serves them' : index > 0 ? 'they have one' : null;
      if (reason !== null) yield diagnostic('E0447', at(subject, ['fields', name], 'key'), { resource, reason });
    }
  }),

  'an action is not named like a generated type': each(function* (subject) {
    for (const name of subject.raw.actions.keys()) {
      if (!TYPES.has(name)) continue;
      const reason = RESERVED.get(name) ?? 'a generated type has this name';
      yield diagnostic('E0307', at(subject, ['actions', name], 'key'), { name, reason });
    }
  }),

  /**
   * `/api/<parent>/<id>/<name>`: lists, actions, and in `_relationships` the references of the parent. The word of a path by a
   * unique value is such a name, too: otherwise `/api/club/members/members` would have two meanings.
   */
  'a name below a record is taken once': function* (project) {
    const taken = new Map<string, NameBelowPath>();
    for (const below of [...actionsAndReferences(project), ...lists(project), ...wordsOfPaths(project)]) {
      const key = `${below.parent}/${below.name}`;
      const other = taken.get(key);
      if (other === undefined) taken.set(key, below);
      else if (project.byName.has(below.parent))
        yield diagnostic('E0309', below.place(), { parent: below.parent, name: below.name, other: other.owner });
    }
  },

  'an alias of a path is taken once': function* (project) {
    const taken = new Map<string, Alias>();
    for (const alias of aliasesOf(project)) {
      const key = `${alias.operation} ${alias.path}`;
      const other = taken.get(key);
      if (other === undefined) taken.set(key, alias);
      else yield clash(alias, other.subject, other.owner);
    }
  },

  'an alias differs from the path of its resource': function* (project) {
    for (const alias of aliasesOf(project)) {
      if (alias.path === `/api/${alias.subject.raw.resource}`) yield clash(alias, alias.subject);
    }
  },

  'an alias is not a path of the service itself': function* (project) {
    for (const alias of aliasesOf(project)) {
      if (FIXED_PATHS.some((fixed) => alias.path === fixed || alias.path.startsWith(`${fixed}/`)))
        yield clash(alias, null);
    }
  },

  /** All operations of the type are also at its old name, so nothing else can be there. */
  "an old name is nobody else's path": function* (project) {
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
  },

  /** An id distinguishes two resources under one path (D32), but a record that is being created has none yet. */
  'creating is not shared between resources': function* (project) {
    for (const { subject, operation, path, pointer } of aliasesOf(project)) {
      const other = /^\/api\/([a-z0-9]+)$/.exec(path)?.[1];
      if (operation !== 'create' || other === undefined || other === subject.raw.resource) continue;
      if (project.byName.has(other)) yield diagnostic('E0311', at(subject, pointer), { path, other });
    }
  },
};

interface NameBelowPath {
  readonly parent: string;
  readonly name: string;
  /** The owner of the name, in words. */
  readonly owner: string;
  readonly place: PlaceOf;
}

/** The fields that are shown once, each of which has an action that renews it. */
function tokensOf({ raw }: Subject): readonly string[] {
  return [...raw.fields].flatMap(([name, field]) => (kindOf(field).renewed ? [name] : []));
}

function actionsAndReferences(project: Project): NameBelowPath[] {
  return [...project.byName.values()].flatMap((subject) => {
    const parent = subject.raw.resource;
    const undoing = [...subject.raw.actions].flatMap(([name, { undo }]) =>
      undo === undefined ? [] : [undoName(name)],
    );
    const actions = [...undoing, ...subject.raw.actions.keys()].map((name) => ({
      parent,
      name,
      owner: `the action "${name}"`,
      place: () => at(subject, ['actions', name], 'key'),
    }));
    const renewing = tokensOf(subject).map((name) => ({
      parent,
      name,
      owner: `the action that renews "${name}"`,
      place: () => at(subject, ['fields', name], 'key'),
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
    return [
      ...actions,
      ...renewing,
      ...related.filter(({ name }) => !subject.raw.actions.has(name)),
      ...routes,
      ...using,
      self,
    ];
  });
}

function lists(project: Project): NameBelowPath[] {
  return [...project.byName.values()].flatMap((subject) =>
    [...subject.raw.fields].flatMap(([name, field]) => {
      const { to } = field;
      if (to === undefined) return [];
      const list = (listName: string, pointer: Pointer, which: 'key' | 'value'): NameBelowPath => ({
        parent: to,
        name: listName,
        owner: `a list of ${subject.raw.resource}`,
        place: () => placeOfList(subject, ['fields', name, ...pointer], which),
      });
      const defaultList = listOf(field, subject.raw);
      const additional = Object.entries(field.lists ?? {}).map(([listName, { of, through }]) => {
        const onward = through === undefined ? to : (project.byName.get(to)?.raw.fields.get(through)?.to ?? to);
        const below = { ...list(listName, ['lists', listName], 'key'), parent: onward };
        return of === undefined ? below : { ...below, place: () => placeOfValue(subject, field.list_each ?? '', of) };
      });
      return [...(defaultList === null ? [] : [list(defaultList, ['list'], 'value')]), ...additional];
    }),
  );
}

/** Each word once: its second use is reported as a path that is taken. */
function wordsOfPaths({ byName }: Project): readonly NameBelowPath[] {
  return [...byName.values()].flatMap((subject) => {
    const byWord = new Map(lookups(subject).map((one) => [one.word, one]));
    return [...byWord.values()].map(({ word, owner, pointer }) => {
      return { parent: subject.raw.resource, name: word, owner, place: () => at(subject, pointer) };
    });
  });
}

/** A list that a convention declares takes its name from the resource, so it is reported at the resource's plural. */
function placeOfList(subject: Subject, pointer: Pointer, which: 'key' | 'value'): YamlPosition {
  const [first] = keyLocations(subject, pointer);
  return first?.document === subject.document ? at(subject, pointer, which) : at(subject, ['plural']);
}

const OPERATIONS: readonly Operation[] = ['create', 'fetch', 'update', 'delete'];

interface Alias {
  readonly subject: Subject;
  readonly operation: Operation;
  readonly path: string;
  readonly pointer: Pointer;
  /** The part of the resource that has the path, in words; absent for its `paths`. */
  readonly owner?: string;
}

function aliasesOf({ byName }: Project): readonly Alias[] {
  return [...byName.values()].flatMap((subject) => aliases(subject));
}

const aliases = memoizeByObject((subject: Subject): readonly Alias[] => [
  ...(['all', ...OPERATIONS] as const).flatMap((key) =>
    (subject.raw.paths?.[key] ?? []).flatMap((path, index) =>
      (key === 'all' ? OPERATIONS : [key]).map((operation) => ({
        subject,
        operation,
        path,
        pointer: subject.document.has(['paths', key, index]) ? ['paths', key, index] : ['paths', key],
      })),
    ),
  ),
  ...lookups(subject),
]);

interface LookupPath extends Required<Alias> {
  readonly word: string;
}

/** The paths of fetches by a unique value. */
function lookups(subject: Subject): readonly LookupPath[] {
  return [...subject.raw.fields].flatMap(([name, { unique: word }]) => {
    if (typeof word !== 'string') return [];
    const path = `/api/${subject.raw.resource}/${word}`;
    const owner = `the unique values of "${name}"`;
    return [{ subject, operation: 'fetch' as const, path, pointer: ['fields', name, 'unique'], word, owner }];
  });
}

/** Paths of the service itself; paths below them are its own, too. */
export const FIXED_PATHS = [
  ...['/api/session', '/api/status', '/files', '/healthz', '/readyz', '/metrics', '/openapi.json'],
  ...['/docs', '/assets', '/favicon.ico', '/console'],
] as const;

/** @param other null for the service itself @param owner the part of `other` that has the path, in words */
function clash({ subject, operation, path, pointer }: Alias, other: Subject | null, owner?: string): Diagnostic {
  const otherName = other === null ? 'the service' : other === subject ? 'this resource' : other.raw.resource;
  const holes = { operation, path, other: owner === undefined ? otherName : `${owner} of ${otherName}` };
  return diagnostic('E0310', at(subject, pointer), holes);
}
