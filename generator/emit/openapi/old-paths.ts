// The paths of old names: all names of a type share one path item for each of its paths, which each path refers to.

import type { Model } from '../../model/model.js';
import { isBelow, oldRoutesOf } from '../../model/routes.js';
import { component, type Fragment, sentences } from './fragment.js';
import type { PathItem, Paths } from './paths.js';
import { type Component, componentsOf } from './pieces.js';

/** @param paths the operations at the paths of the types themselves */
export function oldPaths(
  model: Model,
  paths: Paths,
): { readonly paths: Fragment; readonly items: readonly Component[] } {
  const types = model.resources.filter(({ oldNames }) => oldNames.length > 0);
  const shared = types.flatMap(({ name: type }) =>
    [...paths].filter(([path]) => isBelow(path, type)).map(([path, item]) => ({ type, path, item })),
  );
  const old = oldRoutesOf(model).map(({ type, name, route }) => {
    const own = `/api/${type.name}${route.path.slice(`/api/${name}`.length)}`;
    return [route.path, component('pathItems', itemName(own))] as const;
  });
  const items = shared.map(({ type, path, item }) => [itemName(path), pathItem(type, item)] as const);
  return { paths: Object.fromEntries(old), items: componentsOf('pathItems', Object.fromEntries(items)) };
}

/** `/api/deck/{id}/cards` is `deck.id.cards`: letters that the name of a component may have. */
function itemName(path: string): string {
  return path.slice('/api/'.length).replaceAll(/[{}]/g, '').replaceAll('/', '.');
}

/** Without operation ids, which each operation of a document has for itself alone. */
function pathItem(type: string, item: PathItem): Fragment {
  const operations = [...item].map(([method, { value }]) => {
    const { operationId: _, description, ...operation } = value;
    const text = sentences(
      String(description),
      `An old name of /api/${type}. One that is an identity in lower case stands for records of that identity alone.`,
    );
    return [method, { ...operation, description: text, deprecated: true }] as const;
  });
  return Object.fromEntries(operations);
}
