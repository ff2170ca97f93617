// The file of the cache: a line of JSON that lists the modules, then their sources, then the code that V8 has compiled of them.

import { readFileSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Content, Modules } from './loader.js';
import { compile, readOwnFile, resolveAsNode } from './own-files.js';

/** From and to, in the part of the file where these are. */
type Range = readonly [start: number, end: number];

/** By which a changed file is recognized: its time of modification in milliseconds, and its size. */
type Version = readonly [modified: number, size: number];

interface Header {
  /** Of Node. */
  readonly node: string;
  /** Where the modules were. V8's code names their files, and some packages look for others beside them. */
  readonly root: string;
  /** Of the list of installed packages, which decides to what names of packages resolve. Null: npm has not written one. */
  readonly packages: Version | null;
  /** Bytes of each part. */
  readonly narrow: number;
  readonly wide: number;
  readonly code: number;
  readonly modules: readonly Stored[];
}

interface Stored {
  /** Relative to the root. */
  readonly path: string;
  readonly version: Version | null;
  readonly source: Range;
  /** It has characters of more than a byte. */
  readonly isWide: boolean;
  /** Null: it is JSON. */
  readonly code: Range | null;
  /** What it requires of the modules here, and of Node's. Objects with these names would take longer to read. */
  readonly specifiers: readonly string[];
  /** The number of each; null: of Node's. */
  readonly required: readonly (number | null)[];
}

/** A module that is to be stored. */
export interface Recorded {
  /** Absolute. */
  readonly path: string;
  readonly source: string;
  /** Null: it is JSON. */
  readonly code: Buffer | null;
  /** Absolute paths by specifier. */
  readonly requires: ReadonlyMap<string, string | null>;
}

/** What V8's code depends on besides its flags, which V8 compares. */
const NODE = `${process.version} ${process.platform} ${process.arch}`;

/** V8 copies code that is not aligned. */
const ALIGNMENT = 8;

/** The contents of the file. */
export function archiveOf(root: string, modules: readonly Recorded[]): Buffer {
  const narrow = new Part('latin1');
  const wide = new Part('utf16le');
  const code = new Part('latin1');
  const numbers = new Map(modules.map(({ path }, at) => [path, at]));
  const stored = modules.map(({ path, source, code: compiled, requires }): Stored => {
    const isHere = (target: string | null): boolean => target === null || numbers.has(target);
    const here = [...requires].filter(([, target]) => isHere(target));
    const isWide = Buffer.from(source, 'latin1').toString('latin1') !== source;
    return {
      path: path.slice(root.length + 1),
      version: versionOf(statSync(path)),
      source: (isWide ? wide : narrow).add(source),
      isWide,
      code: compiled && code.add(compiled),
      specifiers: here.map(([specifier]) => specifier),
      required: here.map(([, target]) => (target === null ? null : (numbers.get(target) ?? null))),
    };
  });
  const header: Header = {
    ...{ node: NODE, root, packages: packagesOf(root) },
    ...{ narrow: narrow.size, wide: wide.size, code: code.size, modules: stored },
  };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  const padding = Buffer.alloc(paddingOf(line.length), ' ');
  return Buffer.concat([padding, line, ...narrow.pieces, ...wide.pieces, ...code.pieces]);
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

/** @returns null if the file is not there, damaged, or of another Node, folder or other packages */
export function openArchive(file: string, root: string): Modules | null {
  try {
    const bytes = readFileSync(file);
    const body = bytes.indexOf('\n') + 1;
    const header = JSON.parse(bytes.toString('utf8', 0, body)) as Header;
    const { packages, narrow, wide, code } = header;
    const isSameNode = header.node === NODE && header.root === root;
    const isWhole = bytes.length === body + narrow + wide + code;
    if (!isWhole || !isSameNode || !isSame(packages, packagesOf(root))) return null;
    return modulesOf(root, header, { bytes: bytes.subarray(body) });
  } catch {
    return null;
  }
}

function modulesOf(root: string, { modules, narrow, wide }: Header, body: { bytes: Buffer }): Modules {
  // Parts of a string that lies outside of V8's heap cost nothing.
  const narrowText = body.bytes.toString('latin1', 0, narrow);
  const wideText = ([start, end]: Range) => body.bytes.toString('utf16le', narrow + start, narrow + end);
  const codeAt = narrow + wide;
  // As `join` does, which takes 4 ms for all of them.
  const paths = modules.map(({ path }) => root + sep + path);
  const byPath = new Map(modules.map((stored, at) => [paths[at] ?? '', stored]));
  const changed = new Set<string>();
  const unread = new Map(byPath);
  const contentOf = (path: string, { source, isWide, code }: Stored): Content => {
    const text = isWide ? wideText(source) : narrowText.slice(...source);
    return code === null ? text : compile(text, path, body.bytes.subarray(codeAt + code[0], codeAt + code[1]));
  };
  return {
    read(path) {
      const stored = unread.get(path);
      // Node loads it, also another time after it has thrown.
      if (stored === undefined) return undefined;
      unread.delete(path);
      const isUnchanged = isSame(stored.version, versionOf(statSync(path, { throwIfNoEntry: false })));
      const content = isUnchanged ? contentOf(path, stored) : readOwnFile(path);
      if (!isUnchanged) changed.add(path);
      // Nothing in these 4 MB is needed any more.
      if (unread.size === 0) body.bytes = Buffer.alloc(0);
      return content;
    },
    resolve(specifier, path) {
      if (changed.has(path)) return resolveAsNode(specifier, path, (target) => byPath.has(target));
      const { specifiers, required } = byPath.get(path) ?? NONE;
      const at = specifiers.indexOf(specifier);
      const target = required[at];
      return typeof target === 'number' ? paths[target] : target;
    },
  };
}

const NONE: Pick<Stored, 'specifiers' | 'required'> = { specifiers: [], required: [] };

function packagesOf(root: string): Version | null {
  return versionOf(statSync(join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false }));
}

function versionOf(stats: Stats | undefined): Version | null {
  return stats === undefined ? null : [stats.mtimeMs, stats.size];
}

/** An image of a container keeps the seconds alone. */
function isSame(then: Version | null, now: Version | null): boolean {
  if (then === null || now === null) return then === now;
  const [modified, size] = then;
  return size === now[1] && (modified === now[0] || Math.floor(modified / 1000) * 1000 === now[0]);
}
