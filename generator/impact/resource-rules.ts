// Rules for what a change of a resource as a whole means to callers, each for certain kinds of operations.

import { filterNames } from '../../runtime/contract/ranges.js';
import { orderTerm, renamedTerm } from '../../runtime/schema/order.js';
import { whereText } from '../../runtime/schema/uniques.js';
import { choiceOrderOf, choicesOf, columnAt } from '../model/find.js';
import type { Column } from '../model/model.js';
import { affectedOperations, clausesOf, rightChange } from './access-rules.js';
import { difference, toggleDifferences } from './parameter-rules.js';
import type { Difference } from './report.js';
import { valueText } from './schema-changes.js';
import { CALLS_WITH_PARAMETERS, type CallKind, callsOf, keyOf, type ResourceSide, type Sides } from './sides.js';

export interface ResourceImpactRule {
  /** The operations where callers notice the change; if a resource offers none of them, nobody notices. */
  readonly kinds: readonly CallKind[];
  /** Operations to report instead, possibly of other resources. */
  elsewhere?(sides: Sides, of: string): readonly string[];
  find(sides: Sides): readonly (Difference & { readonly of: string })[];
}

const READING: readonly CallKind[] = ['fetch', 'list'];
const EDITING: readonly CallKind[] = ['update', 'delete'];

/** Keyed by the rule name that a finding reports. `of` is the part of the resource that changed. */
export const RESOURCE_RULES: Readonly<Record<string, ResourceImpactRule>> = {
  access_read: { kinds: [], elsewhere: operationsNeedingRight, find: (sides) => about('read', right(sides, 'read')) },
  access_edit: { kinds: [], elsewhere: operationsNeedingRight, find: (sides) => about('edit', right(sides, 'edit')) },
  access_right: {
    kinds: [],
    elsewhere: operationsNeedingRight,
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
      const message = now
        ? 'records that may not be read respond with not_found'
        : 'records that may not be read respond with forbidden';
      const open = [from, to].every(({ resource }) => resource.access.read.some((clause) => 'anyone' in clause));
      return old === now || open ? [] : about('hidden', [difference(true, message, old, now)]);
    },
  },
  unique: { kinds: CALLS_WITH_PARAMETERS, find: uniques },
  create_existing: {
    kinds: ['create'],
    find: ({ from, to }) => {
      const [old, now] = [from.resource.existing !== null, to.resource.existing !== null];
      const says = now ? 'updates the record that it meets' : 'no longer updates the record that it meets';
      return old === now ? [] : about('', [difference(true, says, old, now)]);
    },
  },
  update_match: {
    kinds: ['update'],
    find: ({ from, to }) => {
      const [old, now] = [from.resource.match !== null, to.resource.match !== null];
      const says = now ? 'has to send If-Match, with the tag of the record' : 'may be sent without If-Match';
      return old === now ? [] : about('', [difference(now, says, old, now)]);
    },
  },
  on_delete: { kinds: [], elsewhere: targetDelete, find: onDelete },
  ignored: {
    kinds: CALLS_WITH_PARAMETERS,
    find: ({ from, to }) =>
      listChanges(from.resource.ignored, to.resource.ignored, {
        gone: (name) => difference(false, `parameter ${name} is no longer silently ignored`, name, null),
        added: (name) => difference(false, `parameter ${name} is silently ignored`, null, name),
      }),
  },
  upload: { kinds: ['create'], find: uploads },
  filter: {
    kinds: ['list'],
    find: ({ from, to }) =>
      listChanges(filterNames(from.resource), filterNames(to.resource), {
        gone: (name) => difference(true, `can no longer be filtered by ${name}`, name, null),
        added: (name) => difference(false, `can be filtered by ${name}`, null, name),
      }),
  },
  sortable: {
    kinds: ['list'],
    find: ({ from, to }) =>
      listChanges(from.resource.sortable, to.resource.sortable, {
        gone: (name) => difference(true, `can no longer be ordered by ${name}`, name, null),
        added: (name) => difference(false, `can be ordered by ${name}`, null, name),
      }),
  },
  order: {
    // A caller who reads only the first page gets other records, and a cursor no longer continues.
    kinds: ['list'],
    find: ({ from, to }) => {
      const [old, now] = [from.resource.order, to.resource.order];
      const columns = ({ resource }: ResourceSide) =>
        resource.order.map((term) => renamedTerm(term, (name) => keyOf(resource, name))).join(' ');
      return columns(from) === columns(to)
        ? []
        : about('', [difference(true, `order ${valueText(old)} -> ${valueText(now)}`, old, now)]);
    },
  },
  choice_order: { kinds: ['list'], find: choiceOrders },
};

function about(of: string, all: readonly Difference[]): readonly (Difference & { readonly of: string })[] {
  return all.map((one) => ({ ...one, of, message: of === '' ? one.message : `${of}: ${one.message}` }));
}

function right({ from, to }: Sides, name: string): readonly Difference[] {
  const clauses = (side: ResourceSide) => ({ ...side, clauses: clausesOf(side.resource, name) });
  return rightChange(clauses(from), clauses(to));
}

/** Includes other resources: their rights may depend on this one. */
function operationsNeedingRight({ from, to }: Sides, name: string): readonly string[] {
  const before = new Set(callsOf(from.model).map(({ key }) => key));
  return affectedOperations({ resource: to.resource.name, name }, to.model).filter((key) => before.has(key));
}

interface Messages {
  gone(name: string): Difference;
  added(name: string): Difference;
}

function listChanges(
  from: readonly string[],
  to: readonly string[],
  messages: Messages,
): readonly (Difference & { readonly of: string })[] {
  return [
    ...from.filter((name) => !to.includes(name)).map((name) => ({ ...messages.gone(name), of: name })),
    ...to.filter((name) => !from.includes(name)).map((name) => ({ ...messages.added(name), of: name })),
  ];
}

/** Lists sort choices by name, so renaming a choice may change their order. */
function choiceOrders({ from, to }: Sides): readonly (Difference & { readonly of: string })[] {
  const { sortable, order } = to.resource;
  const isOrdered = ({ name }: Column) =>
    sortable.includes(name) || order.some((term) => orderTerm(term).name === name);
  return to.resource.columns.filter(isOrdered).flatMap((column) => {
    const before = columnAt(from.resource, column.number);
    const names = new Map(choicesOf(column).map(({ number, name }) => [number, name]));
    const orders = [before === undefined ? [] : choiceOrderOf(before), choiceOrderOf(column)];
    const common = orders.map((numbers) => numbers.filter((one) => orders.every((other) => other.includes(one))));
    const [old, now] = common.map((numbers) => numbers.map((number) => names.get(number)).join(', '));
    return old === now ? [] : about(column.name, [difference(true, `order of its values ${old} -> ${now}`, old, now)]);
  });
}

/** Identifies columns by number: renaming or reordering them changes no constraint. */
function uniques({ from, to }: Sides): readonly (Difference & { readonly of: string })[] {
  const keyed = ({ resource }: ResourceSide) =>
    new Map(
      resource.uniques.map(({ columns, where }) => {
        const [numbers, conditions] = [columns, Object.keys(where ?? {})].map((names) =>
          names.map((name) => keyOf(resource, name)),
        );
        const key = [numbers?.sort(), conditions, Object.values(where ?? {})];
        return [JSON.stringify(key), { names: columns.join(', '), where: whereText(where) }] as const;
      }),
    );
  const [old, now] = [keyed(from), keyed(to)];
  const added = [...now].filter(([key]) => !old.has(key));
  const removed = [...old].filter(([key]) => !now.has(key));
  return [
    ...added.map(([, { names, where }]) => ({
      ...difference(true, `${names} must be unique${where}`, null, `${names}${where}`),
      of: names,
    })),
    ...removed.map(([, { names, where }]) => ({
      ...difference(false, `${names} need not be unique${where}`, `${names}${where}`, null),
      of: names,
    })),
  ];
}

const ON_DELETE = {
  cascade: 'deletes the record too',
  set_null: 'empties the reference',
  restrict: 'is refused',
} as const;

/** Which effect deleting the target has: any other effect breaks callers who rely on this one. */
function onDelete({ from, to }: Sides): readonly (Difference & { readonly of: string })[] {
  return to.resource.references.flatMap(({ column, onDelete: now }) => {
    const key = keyOf(to.resource, column);
    const old = from.resource.references.find((one) => keyOf(from.resource, one.column) === key)?.onDelete;
    if (old === undefined || old === now) return [];
    return about(column, [
      difference(true, `deleting its target ${ON_DELETE[now]}, previously it ${ON_DELETE[old]}`, old, now),
    ]);
  });
}

/** The delete operation of the reference's target, if it is offered. */
function targetDelete({ to }: Sides, column: string): readonly string[] {
  const target = to.resource.references.find((one) => one.column === column)?.to;
  const offered = to.model.resources.some(({ name, operations }) => name === target && operations.delete !== null);
  return offered ? [`DELETE /api/${target}/{id}`] : [];
}

function uploads({ from, to }: Sides): readonly (Difference & { readonly of: string })[] {
  const [old, now] = [from.resource.upload, to.resource.upload];
  if (old === null || now === null)
    return about(
      'upload',
      toggleDifferences(old !== null, now !== null, ['takes uploads', 'no longer takes uploads']).map((one) => ({
        ...one,
        breaking: true,
      })),
    );
  const part = old.part === now.part ? [] : [difference(true, `part ${old.part} -> ${now.part}`, old.part, now.part)];
  const size =
    old.maxBytes === now.maxBytes
      ? []
      : [
          difference(
            now.maxBytes < old.maxBytes,
            `max bytes ${old.maxBytes} -> ${now.maxBytes}`,
            old.maxBytes,
            now.maxBytes,
          ),
        ];
  return about('upload', [...part, ...size]);
}
