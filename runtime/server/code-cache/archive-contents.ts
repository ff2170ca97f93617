// Composes the file of the cache, which archive.ts reads; only the build loads it.

import { statSync } from 'node:fs';
import { ALIGNMENT, type Header, NODE, packagesOf, type Range, SIZE, type StoredModule, versionOf } from './archive.js';

/** A module that is to be stored. */
export interface RecordedModule {
  /** Absolute. */
  readonly path: string;
  readonly source: string;
  /** Null: it is JSON. */
  readonly code: Buffer | null;
  /** Absolute paths by specifier. */
  readonly requires: ReadonlyMap<string, string | null>;
  /** A start does not need it. */
  readonly isLater: boolean;
}

/** The contents of the file. */
export function archiveOf(root: string, modules: readonly RecordedModule[]): Buffer {
  const narrow = new Part('latin1');
  const wide = new Part('utf16le');
  const code = new Part('latin1');
  const later = new Part('latin1');
  const numbers = new Map(modules.map(({ path }, at) => [path, at]));
  const stored = modules.map(({ path, source, code: compiled, requires, isLater }): StoredModule => {
    const isHere = (target: string | null): boolean => target === null || numbers.has(target);
    const here = [...requires].filter(([, target]) => isHere(target));
    const isWide = Buffer.from(source, 'latin1').toString('latin1') !== source;
    return {
      path: path.slice(root.length + 1),
      version: versionOf(statSync(path)),
      source: isLater ? later.add(bytesOf(source, isWide)) : (isWide ? wide : narrow).add(source),
      isWide,
      code: compiled && (isLater ? later : code).add(compiled),
      isLater,
      specifiers: here.map(([specifier]) => specifier),
      required: here.map(([, target]) => (target === null ? null : (numbers.get(target) ?? null))),
    };
  });
  const header: Header = {
    ...{ node: NODE, root, packages: packagesOf(root) },
    ...{ narrow: narrow.size, wide: wide.size, code: code.size, later: later.size, modules: stored },
  };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  const padding = Buffer.alloc(paddingOf(line.length), ' ');
  const early = [padding, line, ...narrow.pieces, ...wide.pieces, ...code.pieces];
  const size = String(early.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([Buffer.from(size.padEnd(SIZE)), ...early, ...later.pieces]);
}

function bytesOf(source: string, isWide: boolean): Buffer {
  return Buffer.from(source, isWide ? 'utf16le' : 'latin1');
}

/** Pieces that follow each other, each of them aligned. */
class Part {
  readonly pieces: Buffer[] = [];
  size = 0;
  readonly #encoding: BufferEncoding;

  constructor(encoding: BufferEncoding) {
    this.#encoding = encoding;
  }

  add(piece: string | Buffer): Range {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, this.#encoding) : piece;
    const start = this.size;
    const padding = Buffer.alloc(paddingOf(bytes.length));
    this.pieces.push(bytes, padding);
    this.size += bytes.length + padding.length;
    return [start, start + bytes.length];
  }
}

function paddingOf(size: number): number {
  return (ALIGNMENT - (size % ALIGNMENT)) % ALIGNMENT;
}
