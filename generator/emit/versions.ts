// generated/versions/<date>.json: how a version differs from the current one (D68), for the service to answer its callers.

import { isDeepStrictEqual } from 'node:util';
import { type CatalogueRow, ROW_KEYS } from '../../runtime/contract/catalogue.js';
import { isMap } from '../../runtime/contract/is-map.js';
import type { VersionTable } from '../../runtime/contract/versions.js';
import { memoizeByObject } from '../memoize.js';
import type { Model } from '../model/model.js';
import { compose, differing, type SurvivingResources } from '../versions/compose.js';
import { cut, type Shape } from '../versions/shape.js';
import { viewOf } from '../versions/view.js';
import { rowsOfModel } from './catalogue.js';
import { openapiText } from './openapi/document.js';
import { printJson } from './print.js';

export const versionText = memoizeByObject((shape: Shape, model: Model): string => printJson(tableOf(shape, model)));

function tableOf(shape: Shape, model: Model): VersionTable {
  const { version, sunset } = shape;
  const dates = sunset === undefined ? {} : { sunset };
  // The texts also compare the order of the fields, in which records show them.
  if (JSON.stringify(cut(model, version, sunset).resources) === JSON.stringify(shape.resources))
    return { ...dates, resources: {}, document: [] };
  const survivors = compose(shape, model);
  const view = viewOf(model, survivors);
  const [today, earlier] = [openapiText(model), openapiText(view)].map((text) => JSON.parse(text) as unknown);
  const rows = earlierRows(model, view, survivors);
  return {
    ...dates,
    resources: differing(survivors, model),
    ...(Object.keys(rows).length === 0 ? {} : { catalogue: rows }),
    document: differencesIn(today, earlier).map(([place, , to]) => (to === undefined ? [place] : [place, to])),
  };
}

/** The version's rows in their order, by today's identity; empty if they are today's. */
function earlierRows(model: Model, view: Model, survivors: SurvivingResources): NonNullable<VersionTable['catalogue']> {
  const [today = [], earlier = []] = [model, view].map((one) => rowsOfModel(one).map(withoutAttributes));
  if (isDeepStrictEqual(today, earlier)) return {};
  const choices = [...survivors.values()].flatMap(({ table }) => Object.entries(table.fields.identity?.values ?? {}));
  const names = new Map(choices);
  const rows = earlier.map((row) => [names.get(row.identity) ?? '', row] as const);
  const added = today.filter(({ identity }) => !rows.some(([same]) => same === identity));
  return Object.fromEntries([...rows, ...added.map(({ identity }) => [identity, null] as const)]);
}

function withoutAttributes(row: CatalogueRow): CatalogueRow {
  const all = Object.entries(row).filter(([name]) => ROW_KEYS.includes(name as never));
  return Object.fromEntries(all) as unknown as CatalogueRow;
}

/** The keys that lead to a value, and the value on both sides; undefined if it is missing. */
export type Difference = readonly [place: readonly string[], from: unknown, to: unknown];

/** Compares lists as a whole. */
export function differencesIn(from: unknown, to: unknown, place: readonly string[] = []): readonly Difference[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (!isMap(from) || !isMap(to)) return [[place, from, to]];
  const removed = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  return [...removed, ...Object.keys(to)].flatMap((key) => differencesIn(from[key], to[key], [...place, key]));
}
