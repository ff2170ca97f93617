// One resource before and after the edit, with its operations by the names that callers use (`POST /api/boxtop`), and the
// lookups that the rules share.

import type { Operation, WholeList } from '../../runtime/contract/definition.js';
import type { Action, Column, JsonSchema, List, Model, Resource } from '../model/model.js';
import { oldRoutesOf, type Route, routesOf } from '../model/routes.js';

export interface ResourceSide {
  readonly model: Model;
  readonly resource: Resource;
  readonly calls: readonly Call[];
}

export interface Sides {
  readonly from: ResourceSide;
  readonly to: ResourceSide;
}

/** Pairs resources by name, because callers know only names. */
export function pairResources(
  from: { readonly model: Model; readonly calls: readonly Call[] },
  to: { readonly model: Model; readonly calls: readonly Call[] },
): readonly Sides[] {
  const side = ({ model, calls }: typeof from, resource: Resource): ResourceSide => ({
    model,
    resource,
    calls: calls.filter((call) => call.resource === resource.name),
  });
  return to.model.resources.flatMap((resource) => {
    const old = from.model.resources.find(({ name }) => name === resource.name);
    return old === undefined ? [] : [{ from: side(from, old), to: side(to, resource) }];
  });
}

/** Keys of the operations of these kinds that exist on both sides. */
export function shared({ from, to }: Sides, kinds: readonly CallKind[]): readonly string[] {
  const before = new Set(from.calls.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key));
  const current = to.calls.filter(({ isOld }) => isOld === undefined);
  return current.filter(({ key, kind }) => kinds.includes(kind) && before.has(key)).map(({ key }) => key);
}

export function columnOf({ columns }: Resource, name: string): Column | undefined {
  return columns.find((column) => column.name === name);
}

/** Identifies a column across renames: its number in the ledger, or the name if there is no such column. */
export function keyOf(resource: Resource, name: string): string {
  return String(columnOf(resource, name)?.number ?? name);
}

/** The schema of a value in comparable form: a decimal by its limits, which its pattern spells out digit by digit. */
export function comparable(schema: JsonSchema, column: Column | undefined): JsonSchema {
  if (column?.check?.rule !== 'decimal' || schema.pattern === undefined) return schema;
  const { pattern: _, ...rest } = schema;
  const { min, max, scale } = column.check;
  return { ...rest, minimum: min, maximum: max, scale };
}

export type CallKind = Operation | 'options' | 'list' | 'uses' | 'action';

export interface Call {
  /** `GET /api/game/{id}/boxtops`. */
  readonly key: string;
  readonly resource: string;
  readonly kind: CallKind;
  /** 0: anyone, 1: a session, 2: an administrator. */
  readonly needs: number;
  readonly list?: List;
  /** The conditions of a list of all records, which do not apply to administrators. */
  readonly whole?: WholeList | null;
  readonly action?: Action;
  /** Whether the path contains an old name of the type. */
  readonly isOld?: true;
}

const KINDS: readonly CallKind[] = ['create', 'fetch', 'update', 'delete', 'options', 'list', 'uses', 'action'];
const NEEDS = { anyone: 0, session: 1, admin: 2 } as const;

/** Every operation, at each of its paths. */
export function callsOf(model: Model): readonly Call[] {
  const ofResources = model.resources.flatMap((resource) =>
    routesOf(resource)
      .map((route) => callOf(route, resource))
      .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
  );
  return [
    ...ofResources,
    ...oldRoutesOf(model).map(({ route, resource }) => ({ ...callOf(route, resource), isOld: true as const })),
  ];
}

function callOf(route: Route, resource: Resource): Call {
  const kind = route.kind === 'whole' ? 'list' : route.kind === 'bulk' ? 'create' : route.kind;
  const call = { key: `${route.method} ${route.path}`, resource: resource.name, kind };
  if (route.kind === 'whole') return { ...call, needs: NEEDS[resource.whole?.by ?? 'admin'], whole: resource.whole };
  if (route.kind === 'bulk') return { ...call, needs: NEEDS[resource.operations.create ?? 'admin'] };
  if (route.kind === 'options' || route.kind === 'uses') return { ...call, needs: NEEDS.anyone };
  if (route.kind === 'list') return { ...call, needs: NEEDS.anyone, list: route.list };
  if (route.kind === 'action') return { ...call, needs: NEEDS.session, action: route.action };
  return { ...call, needs: NEEDS[resource.operations[route.kind] ?? 'admin'] };
}

/** Kinds of operations that accept the parameters of a resource, and kinds that return its record. */
export const CALLS_WITH_PARAMETERS: readonly CallKind[] = ['create', 'update'];
export const CALLS_WITH_RECORD: readonly CallKind[] = ['create', 'fetch', 'update', 'list', 'action'];
