// Renames and removals in descriptors as a maintainer makes them, with every key and value that names the item.

import { type Document, isMap, isPair, isScalar, isSeq, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import type { SourceFile } from '../../generator/load/load.js';
import { sourceFile } from '../support/source-files.js';

/** Descriptors for editing in place. Only those that an edit may change are copied and printed again. */
export class Project {
  readonly #edited = new Map<SourceFile, Document>();

  constructor(private readonly files: readonly SourceFile[]) {}

  /** The descriptors that meet the condition. */
  matching(isMatch: (document: Document) => boolean): readonly Document[] {
    const matches = this.files.filter((file) => isMatch(this.#edited.get(file) ?? pristine(file).document));
    return matches.map((file) => this.#editable(file));
  }

  /** The descriptors with the name in a key or a value, before any edit or since. */
  naming(name: string): readonly Document[] {
    const word = new RegExp(`\\b${name}\\b`);
    const matches = this.files.filter((file) => this.#edited.has(file) || word.test(pristine(file).printed.text));
    return matches.map((file) => this.#editable(file));
  }

  texts(): readonly SourceFile[] {
    return this.files.map((file) => {
      const edited = this.#edited.get(file);
      return edited === undefined ? pristine(file).printed : printed(file.path, edited);
    });
  }

  #editable(file: SourceFile): Document {
    const document = this.#edited.get(file) ?? pristine(file).document.clone();
    this.#edited.set(file, document);
    return document;
  }
}

interface Pristine {
  readonly document: Document;
  readonly printed: SourceFile;
}

/** Each file is parsed and printed once; edits apply to a copy. */
const PRISTINE = new WeakMap<SourceFile, Pristine>();

function pristine(file: SourceFile): Pristine {
  const document = PRISTINE.get(file)?.document ?? spelledOut(file.path, parseDocument(file.text));
  const result = PRISTINE.get(file) ?? { document, printed: printed(file.path, document) };
  PRISTINE.set(file, result);
  return result;
}

function printed(path: string, document: Document): SourceFile {
  const name = keyOf(document, 'resource');
  return sourceFile(name === undefined ? path : `spec/resources/${name}.yaml`, document.toString());
}

/** Writes out the names that follow from a file or a target, so that only one of the two is renamed. */
function spelledOut(path: string, document: Document): Document {
  const [, name] = /resources\/(.*)\.yaml$/.exec(path) ?? [];
  if (name !== undefined && !document.has('resource')) document.set('resource', name);
  return withTargets(document);
}

function withTargets(document: Document): Document {
  for (const fields of fieldMaps(document)) {
    for (const { key, value } of fields.items) {
      if (!isMap(value) || value.get('kind') !== 'reference' || value.has('to')) continue;
      value.add(document.createPair('to', isScalar(key) ? key.value : ''));
    }
  }
  return document;
}

/** Renames a field and states it with `was`. A field of a convention is renamed for all resources that extend it. */
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
        const old = new RegExp(`^${from}(?=$|_id$|\\.)`);
        node.value = at.includes('text') ? node.value.replaceAll(`{${from}}`, `{${to}}`) : node.value.replace(old, to);
      },
    });
  }
  for (const document of project.naming(from)) {
    visit(document, {
      Map(_key, node) {
        const makeNode = node.get('to') === resource ? node.get('make') : undefined;
        const pair = isMap(makeNode) ? pairOf(makeNode, from) : undefined;
        if (pair !== undefined) pair.key = document.createNode(to);
      },
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

/** Adds a field beside an existing one. */
export function addText(
  project: Project,
  { resource, beside }: { readonly resource: string; readonly beside: string },
  name: string,
): void {
  for (const document of sharing(project, resource, beside)) {
    for (const fields of fieldMaps(document)) {
      if (fields.has(beside)) fields.set(name, document.createNode({ kind: 'text', was: null }));
    }
  }
}

/** Renames the resource in everything that refers to it; fields keep their names. */
export function renameResource(project: Project, from: string, to: string): void {
  for (const document of project.naming(from)) {
    if (keyOf(document, 'resource') === from) {
      document.set('resource', to);
      document.set('was', from);
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

/** The descriptors, or the convention with all that extend it, where the field is defined. */
function sharing(project: Project, resource: string, field: string): readonly Document[] {
  const owners = project.matching((document) => keyOf(document, 'resource') === resource);
  const [owner] = owners;
  if (owner === undefined) throw new Error(`there is no resource ${resource}`);
  for (const convention of extended(owner)) {
    const shared = project.matching((document) => document.hasIn(['conventions', convention, 'fields', field]));
    if (shared.length > 0)
      return [...shared, ...project.matching((document) => extended(document).includes(convention))];
  }
  return owners;
}

function extended(document: Document): readonly unknown[] {
  const names = keyOf(document, 'extends');
  return isSeq(names) ? names.items.map((item) => (isScalar(item) ? item.value : item)) : [names];
}

function keyOf({ contents }: Document, name: string): unknown {
  return isMap(contents) ? contents.get(name) : undefined;
}

/** The `fields` of a descriptor, or of every convention. */
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
