// What a change of a resource as a whole means for callers: a table of rules, each for some kinds of operations.

import { clausesOf, rightChange } from './access-rules.js';
import { affectedOperations } from './affected-operations.js';
import { type CallKind, callsOf, TAKING } from './calls.js';
import { flipped, found } from './parameter-rules.js';
import type { Found } from './report.js';
import { shown } from './schema-changes.js';
import { keyOf, type Side, type Sides } from './sides.js';

export interface ResourceRule {
  /** The operations where callers meet the change; where a resource offers none of them, nobody can tell. */
  readonly kinds: readonly CallKind[];
  /** Other operations instead, of other resources. */
  elsewhere?(sides: Sides, of: string): readonly string[];
  find(sides: Sides): readonly (Found & { readonly of: string })[];
}

const READING: readonly CallKind[] = ['fetch', 'list'];
const EDITING: readonly CallKind[] = ['update', 'delete'];

/** By the name under which a finding is told. `of` is what in the resource it is about. */
export const RESOURCE_RULES: Readonly<Record<string, ResourceRule>> = {
  access_read: { kinds: [], elsewhere: rightPlaces, find: (sides) => about('read', right(sides, 'read')) },
  access_edit: { kinds: [], elsewhere: rightPlaces, find: (sides) => about('edit', right(sides, 'edit')) },
  access_right: {
    kinds: [],
    elsewhere: rightPlaces,
    find: (sides) => {
      const rights = Object.keys(sides.from.resource.access.rights).filter(
        (name) => name in sides.to.resource.access.rights,
      );
      return rights.flatMap((name) => about(name, right(sides, name)));
    },
  },
  access_hidden: {
    kinds: [...READING, ...EDITING],
    find: ({ from, to }) => {
      const [old, now] = [from.resource.access.hidden, to.resource.access.hidden];
      const says = now
        ? 'records that may not be read respond with not_found'
        : 'records that may not be read respond with forbidden';
      const open = [from, to].every(({ resource }) => resource.access.read.some((clause) => 'anyone' in clause));
      return old === now || open ? [] : about('hidden', [found(true, says, old, now)]);
    },
  },
  unique: { kinds: TAKING, find: uniques },
  on_delete: { kinds: [], elsewhere: targetDelete, find: onDelete },
  ignored: {
    kinds: TAKING,
    find: ({ from, to }) =>
      listed(from.resource.ignored, to.resource.ignored, {
        gone: (name) => found(false, `parameter ${name} is no longer silently ignored`, name, null),
        added: (name) => found(false, `parameter ${name} is silently ignored`, null, name),
      }),
  },
  upload: { kinds: ['create'], find: uploads },
  filter: {
    kinds: ['list'],
    find: ({ from, to }) =>
      listed(from.resource.filters, to.resource.filters, {
        gone: (name) => found(true, `can no longer be filtered by ${name}`, name, null),
        added: (name) => found(false, `can be filtered by ${name}`, null, name),
      }),
  },
  sortable: {
    kinds: ['list'],
    find: ({ from, to }) =>
      listed(from.resource.sortable, to.resource.sortable, {
        gone: (name) => found(true, `can no longer be ordered by ${name}`, name, null),
        added: (name) => found(false, `can be ordered by ${name}`, null, name),
      }),
  },
  order: {
    // Records come in another order; a caller who needs one asks for it.
    kinds: ['list'],
    find: ({ from, to }) => {
      const [old, now] = [from.resource.order, to.resource.order];
      const columns = ({ resource }: Side) => resource.order.map((name) => keyOf(resource, name)).join(' ');
      return columns(from) === columns(to)
        ? []
        : about('', [found(false, `order ${shown(old)} -> ${shown(now)}`, old, now)]);
    },
  },
};

function about(of: string, all: readonly Found[]): readonly (Found & { readonly of: string })[] {
  return all.map((one) => ({ ...one, of, says: of === '' ? one.says : `${of}: ${one.says}` }));
}

function right({ from, to }: Sides, name: string): readonly Found[] {
  const clauses = (side: Side) => ({ ...side, clauses: clausesOf(side.resource, name) });
  return rightChange(clauses(from), clauses(to));
}

/** Also of other resources: a right may lead to theirs. */
function rightPlaces({ from, to }: Sides, name: string): readonly string[] {
  const before = new Set(callsOf(from.model).map(({ key }) => key));
  return affectedOperations({ resource: to.resource.name, name }, to.model).filter((key) => before.has(key));
}

interface Words {
  gone(name: string): Found;
  added(name: string): Found;
}

function listed(
  from: readonly string[],
  to: readonly string[],
  words: Words,
): readonly (Found & { readonly of: string })[] {
  return [
    ...from.filter((name) => !to.includes(name)).map((name) => ({ ...words.gone(name), of: name })),
    ...to.filter((name) => !from.includes(name)).map((name) => ({ ...words.added(name), of: name })),
  ];
}

/** Columns by their numbers: renaming one, or naming them in another order, changes no constraint. */
function uniques({ from, to }: Sides): readonly (Found & { readonly of: string })[] {
  const keyed = ({ resource }: Side) =>
    new Map(
      resource.uniques.map((names) => {
        const numbers = names.map((name) => keyOf(resource, name));
        return [numbers.sort().join(' '), names.join(', ')] as const;
      }),
    );
  const [old, now] = [keyed(from), keyed(to)];
  const added = [...now].filter(([key]) => !old.has(key));
  const gone = [...old].filter(([key]) => !now.has(key));
  return [
    ...added.map(([, names]) => ({ ...found(true, `${names} must be unique`, null, names), of: names })),
    ...gone.map(([, names]) => ({ ...found(false, `${names} need not be unique`, names, null), of: names })),
  ];
}

const ON_DELETE = {
  cascade: 'deletes the record too',
  set_null: 'empties the reference',
  restrict: 'is refused',
} as const;

/** What a caller's delete of the target does: any other outcome breaks who counts on this one. */
function onDelete({ from, to }: Sides): readonly (Found & { readonly of: string })[] {
  return to.resource.references.flatMap(({ column, onDelete: now }) => {
    const key = keyOf(to.resource, column);
    const old = from.resource.references.find((one) => keyOf(from.resource, one.column) === key)?.onDelete;
    if (old === undefined || old === now) return [];
    return about(column, [
      found(true, `deleting its target ${ON_DELETE[now]}, previously it ${ON_DELETE[old]}`, old, now),
    ]);
  });
}

/** The delete of what the reference points at, where it is offered. */
function targetDelete({ to }: Sides, column: string): readonly string[] {
  const target = to.resource.references.find((one) => one.column === column)?.to;
  const offered = to.model.resources.some(({ name, operations }) => name === target && operations.delete !== null);
  return offered ? [`DELETE /api/${target}/{id}`] : [];
}

function uploads({ from, to }: Sides): readonly (Found & { readonly of: string })[] {
  const [old, now] = [from.resource.upload, to.resource.upload];
  if (old === null || now === null)
    return about(
      'upload',
      flipped(old !== null, now !== null, ['takes uploads', 'no longer takes uploads']).map((one) => ({
        ...one,
        breaking: true,
      })),
    );
  const part = old.part === now.part ? [] : [found(true, `part ${old.part} -> ${now.part}`, old.part, now.part)];
  const size =
    old.maxBytes === now.maxBytes
      ? []
      : [
          found(
            now.maxBytes < old.maxBytes,
            `max bytes ${old.maxBytes} -> ${now.maxBytes}`,
            old.maxBytes,
            now.maxBytes,
          ),
        ];
  return about('upload', [...part, ...size]);
}
