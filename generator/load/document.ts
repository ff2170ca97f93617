// A parsed file: its value, and the positions of its parts.
import { isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { YamlPosition } from '../diagnostics/diagnostic.js';

export type Pointer = readonly (string | number)[];

export interface Document {
  readonly path: string;
  /** Plain JavaScript; an empty map if the file is not sound. */
  readonly value: Readonly<Record<string, unknown>>;
  /** False if the text could not be parsed, so that its contents are unknown. */
  readonly sound: boolean;
  has(pointer: Pointer): boolean;
  /** Position of the key or the value; if it does not exist, of the nearest part around it. */
  locate(pointer: Pointer, which?: 'key' | 'value'): YamlPosition;
  /** Every value of a map and item of a list, outer before inner. */
  parts(): readonly DocumentPart[];
}

/** Reaches from its key, or the item itself, to the end of its value; `end` is exclusive. */
export interface DocumentPart {
  readonly pointer: Pointer;
  readonly start: number;
  readonly end: number;
}

/** A file that could not be parsed. */
export const unparsedDocument = (path: string): Document => ({
  path,
  value: {},
  sound: false,
  has: () => false,
  locate: () => ({ path, start: 0, end: 0 }),
  parts: () => [],
});

export class PositionedDocument implements Document {
  readonly sound = true;

  constructor(
    readonly path: string,
    readonly value: Readonly<Record<string, unknown>>,
    private readonly root: Node | null,
  ) {}

  has(pointer: Pointer): boolean {
    return this.walk(pointer).depth === pointer.length;
  }

  locate(pointer: Pointer, which: 'key' | 'value' = 'value'): YamlPosition {
    if (pointer.length === 0) return this.firstKey();
    const { node, key, depth } = this.walk(pointer);
    const nothing = node === null || node.range?.[0] === node.range?.[1];
    const wantsKey = which === 'key' || nothing || isMap(node) || (depth < pointer.length && !isScalar(node));
    const shown = wantsKey && key !== null ? key : node;
    return shown === null || depth === 0 ? this.firstKey() : placeOf(this.path, shown);
  }

  parts(): readonly DocumentPart[] {
    return below(this.root, []);
  }

  /** Follows the pointer as far as it exists. */
  private walk(pointer: Pointer): { node: Node | null; key: Node | null; depth: number } {
    let node: Node | null = this.root;
    let key: Node | null = null;
    for (let depth = 0; depth < pointer.length; depth++) {
      const next = child(node, pointer[depth] ?? '');
      if (next === null) return { node, key, depth };
      node = next.value;
      key = next.key;
    }
    return { node, key, depth: pointer.length };
  }

  private firstKey(): YamlPosition {
    const first = isMap(this.root) ? (this.root.items[0] as Pair | undefined)?.key : null;
    return isNode(first) ? placeOf(this.path, first) : { path: this.path, start: 0, end: 0 };
  }
}

function below(node: Node | null, pointer: Pointer): readonly DocumentPart[] {
  const inner = (step: string | number, from: unknown, value: unknown): readonly DocumentPart[] => {
    if (!isNode(from)) return [];
    const child = [...pointer, step];
    const end = isNode(value) ? (value.range?.[1] ?? 0) : (from.range?.[1] ?? 0);
    const part = { pointer: child, start: from.range?.[0] ?? 0, end };
    return [part, ...(isNode(value) ? below(value, child) : [])];
  };
  if (isMap(node))
    return node.items.flatMap(({ key, value }) => inner(isScalar(key) ? String(key.value) : '', key, value));
  return isSeq(node) ? node.items.flatMap((item, index) => inner(index, item, item)) : [];
}

function child(node: Node | null, step: string | number): { key: Node | null; value: Node | null } | null {
  if (isMap(node)) {
    const name = String(step);
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === name);
    if (pair === undefined) return null;
    return { key: isNode(pair.key) ? pair.key : null, value: isNode(pair.value) ? pair.value : null };
  }
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return isNode(item) ? { key: null, value: item } : null;
  }
  return null;
}

export function placeOf(path: string, node: Node): YamlPosition {
  const [start, end] = node.range ?? [0, 0];
  return { path, start, end };
}
