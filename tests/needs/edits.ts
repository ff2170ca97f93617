// Renames and removals in descriptors as a maintainer makes them: every word that names the thing goes along.

import { type Document, isMap, isPair, isScalar, isSeq, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import type { SourceFile } from '../../generator/load/load.js';

/** Descriptors by path, to be edited in place. */
export type Project = ReadonlyMap<string, Document>;

export function parsed(files: readonly SourceFile[]): Project {
  return new Map(files.map(({ path, text }) => [path, parseDocument(text)]));
}

export function texts(project: Project): readonly SourceFile[] {
  return [...project].map(([path, document]) => {
    const { contents } = document;
    const name = isMap(contents) ? contents.get('resource') : undefined;
    return { path: name === undefined ? path : `spec/resources/${name}.yaml`, text: document.toString() };
  });
}

/** The field is called otherwise, and `was` says so. One that a convention gives is renamed for all who extend it. */
export function renameField(project: Project, resource: string, from: string, to: string): void {
  for (const document of sharing(project, resource, from)) {
    for (const fields of fieldMaps(document)) {
      const pair = pairOf(fields, from);
      if (pair === undefined) continue;
      pair.key = document.createNode(to);
      if (!isMap(pair.value)) pair.value = document.createNode({ kind: isScalar(pair.value) ? pair.value.value : '' });
      if ((pair.value as YAMLMap).get('kind') !== 'computed') (pair.value as YAMLMap).set('was', from);
    }
    visit(document, {
      Scalar(key, node, path) {
        const at = keysOf(path, key);
        if (
          typeof node.value !== 'string' ||
          !['access', 'brief', 'order', 'unique', 'copy', 'text', 'default'].some((one) => at.includes(one))
        )
          return;
        const own = new RegExp(`^${from}(?=$|_id$|\\.)`);
        node.value = at.includes('text') ? node.value.replaceAll(`{${from}}`, `{${to}}`) : node.value.replace(own, to);
      },
    });
  }
  for (const document of project.values()) {
    visit(document, {
      Scalar(key, node, path) {
        if (keysOf(path, key).at(-1) !== 'copy' || typeof node.value !== 'string') return;
        if (node.value.endsWith(`.${from}`) && node.value.startsWith(`${resource}.`)) node.value = `${resource}.${to}`;
      },
    });
  }
}

export function removeField(project: Project, resource: string, name: string): void {
  for (const document of sharing(project, resource, name))
    for (const fields of fieldMaps(document)) fields.delete(name);
}

/** The resource and everything that refers to it; fields keep their names. */
export function renameResource(project: Project, from: string, to: string): void {
  for (const document of project.values()) {
    if (isMap(document.contents) && document.contents.get('resource') === from) {
      document.contents.set('resource', to);
      document.contents.set('was', from);
    }
    visit(document, {
      Scalar(key, node, path) {
        const at = keysOf(path, key);
        const refers = ['to', 'member', 'record'].includes(String(at.at(-1))) || at.at(-2) === 'owner_classes';
        if (refers && node.value === from) node.value = to;
      },
    });
  }
}

/** Descriptor, or convention with all who extend it, where the field is described. */
function sharing(project: Project, resource: string, field: string): readonly Document[] {
  const all = [...project.values()];
  const key = (document: Document, name: string): unknown =>
    isMap(document.contents) ? document.contents.get(name) : undefined;
  const own = all.find((document) => key(document, 'resource') === resource);
  const convention = own === undefined ? undefined : key(own, 'extends');
  const shared = all.find((document) => document.hasIn(['conventions', convention, 'fields', field]));
  if (own === undefined) throw new Error(`there is no resource ${resource}`);
  return shared === undefined ? [own] : [shared, ...all.filter((document) => key(document, 'extends') === convention)];
}

/** `fields` of a descriptor, or of every convention. */
function fieldMaps(document: Document): readonly YAMLMap[] {
  const conventions = document.getIn(['conventions']);
  const holders = isMap(conventions) ? conventions.items.map(({ value }) => value) : [document.contents];
  return holders.flatMap((holder) => {
    const fields = isMap(holder) ? holder.get('fields') : undefined;
    return isMap(fields) ? [fields] : [];
  });
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

/** The keys from the root to a value. */
function keysOf(path: readonly unknown[], last: number | string | null): readonly unknown[] {
  if (last === 'key') return [];
  return path.flatMap((node) => (isPair(node) && isScalar(node.key) ? [node.key.value] : isSeq(node) ? [] : []));
}
