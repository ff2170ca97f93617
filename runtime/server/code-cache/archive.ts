// The file of the cache: how many bytes of it a start reads, a line of JSON that lists the modules, the sources of the modules
// that a start needs, and the code that V8 has compiled of them. The rest is read when it is needed, from the file that stays
// open: neither a lack of file handles nor a replacement of any file can prevent that (N03).

import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Content, Modules } from './loader.js';
import { compile, readOwnFile, resolveAsNode } from './own-files.js';

/** Start and end, within the part of the file that holds the text or the code. */
export type Range = readonly [start: number, end: number];

/** Identifies a changed file: its time of modification in milliseconds, and its size. */
type Version = readonly [modified: number, size: number];

export interface Header {
  /** The version of Node. */
  readonly node: string;
  /** The folder of the modules. V8's code names their files, and some packages look for others beside them. */
  readonly root: string;
  /** The version of the list of installed packages, which decides what package names resolve to; null: npm has not written it. */
  readonly packages: Version | null;
  /** Bytes of the parts that a start reads. */
  readonly narrow: number;
  readonly wide: number;
  readonly code: number;
  /** Bytes of the part that is read when needed. */
  readonly later: number;
  readonly modules: readonly StoredModule[];
}

export interface StoredModule {
  /** Relative to the root. */
  readonly path: string;
  readonly version: Version | null;
  readonly source: Range;
  /** It has characters of more than one byte. */
  readonly isWide: boolean;
  /** Null: it is JSON. */
  readonly code: Range | null;
  /** Both ranges are in the part that is read when needed. */
  readonly isLater: boolean;
  /** What it requires among the cached modules and of Node. Objects with these names would take longer to read. */
  readonly specifiers: readonly string[];
  /** The number of the module for each specifier; null: it belongs to Node. */
  readonly required: readonly (number | null)[];
}

/** What V8's code depends on besides its flags, which V8 compares. */
export const NODE = `${process.version} ${process.platform} ${process.arch}`;

/** V8 copies code that is not aligned. */
export const ALIGNMENT = 8;

/** Bytes of the size at the front. */
export const SIZE = 2 * ALIGNMENT;

/** @param now epoch milliseconds @returns null if the file is missing, damaged, or of another Node, folder or set of packages */
export function openArchive(file: string, root: string, now: number): Modules | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, 'r');
    const modules = read(descriptor, root, now);
    if (modules === null) closeSync(descriptor);
    return modules;
  } catch {
    if (descriptor !== null) closeSync(descriptor);
    return null;
  }
}

/** Null: it is of another Node, folder or set of packages. Throws if it is damaged. */
function read(descriptor: number, root: string, now: number): Modules | null {
  const size = Number(readBytes(descriptor, 0, SIZE));
  const bytes = readBytes(descriptor, SIZE, SIZE + size);
  const body = bytes.indexOf('\n') + 1;
  const header = JSON.parse(bytes.toString('utf8', 0, body)) as Header;
  const { packages, narrow, wide, code, later } = header;
  const isSameNode = header.node === NODE && header.root === root;
  const isWhole = size === body + narrow + wide + code && fstatSync(descriptor).size === SIZE + size + later;
  if (!isWhole || !isSameNode || !isSame(packages, packagesOf(root))) return null;
  const readLater: ReadLater = ([start, end]) => readBytes(descriptor, SIZE + size + start, SIZE + size + end);
  return modulesOf(root, header, { bytes: bytes.subarray(body), readLater, opened: now });
}

type ReadLater = (range: Range) => Buffer;

/** Throws if the file is shorter. */
function readBytes(descriptor: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(end - start);
  if (readSync(descriptor, bytes, 0, bytes.length, start) !== bytes.length) throw new Error('the file is too short');
  return bytes;
}

/** The part after the header. */
interface Body {
  /** The bytes that a start reads, until all of them have been used. */
  bytes: Buffer;
  readonly readLater: ReadLater;
  /** Epoch milliseconds. */
  readonly opened: number;
}

function modulesOf(root: string, { modules, narrow, wide }: Header, body: Body): Modules {
  // Parts of a string outside V8's heap cost nothing.
  const narrowText = body.bytes.toString('latin1', 0, narrow);
  const wideText = ([start, end]: Range) => body.bytes.toString('utf16le', narrow + start, narrow + end);
  const codeAt = narrow + wide;
  // The same as `join`, which takes 4 ms for all of them.
  const paths = modules.map(({ path }) => root + sep + path);
  const byPath = new Map(modules.map((stored, at) => [paths[at] ?? '', stored]));
  const changed = new Set<string>();
  const unread = new Map(byPath);
  let early = modules.filter(({ isLater }) => !isLater).length;
  const contentOf = (path: string, { source, isWide, code, isLater }: StoredModule): Content => {
    if (isLater) return laterContentOf(path, { source, isWide, code }, body.readLater);
    const text = isWide ? wideText(source) : narrowText.slice(...source);
    return code === null ? text : compile(text, path, body.bytes.subarray(codeAt + code[0], codeAt + code[1]));
  };
  return {
    read(path) {
      const stored = unread.get(path);
      // Node loads it; that is also the case for a module that has thrown before.
      if (stored === undefined) return undefined;
      unread.delete(path);
      if (!stored.isLater) early -= 1;
      const isUnchanged = isOfStart(stored, statSync(path, { throwIfNoEntry: false }), body.opened);
      const content = isUnchanged ? contentOf(path, stored) : readOwnFile(path);
      if (!isUnchanged) changed.add(path);
      // These 4 MB are no longer needed.
      if (early === 0) body.bytes = Buffer.alloc(0);
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

function laterContentOf(
  path: string,
  { source, isWide, code }: Pick<StoredModule, 'source' | 'isWide' | 'code'>,
  readLater: ReadLater,
): Content {
  const text = readLater(source).toString(isWide ? 'utf16le' : 'latin1');
  return code === null ? text : compile(text, path, readLater(code));
}

const NONE: Pick<StoredModule, 'specifiers' | 'required'> = { specifiers: [], required: [] };

export function packagesOf(root: string): Version | null {
  return versionOf(statSync(join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false }));
}

export function versionOf(stats: Stats | undefined): Version | null {
  return stats === undefined ? null : [stats.mtimeMs, stats.size];
}

/**
 * Whether the module is as this process found it at its start: a file that has been removed or replaced since then belongs to
 * another build or installation.
 */
function isOfStart({ version, isLater }: StoredModule, stats: Stats | undefined, opened: number): boolean {
  if (stats === undefined) return isLater;
  return stats.ctimeMs > opened || isSame(version, versionOf(stats));
}

/** The image of a container keeps only the seconds. */
function isSame(then: Version | null, now: Version | null): boolean {
  if (then === null || now === null) return then === now;
  const [modified, size] = then;
  return size === now[1] && (modified === now[0] || Math.floor(modified / 1000) * 1000 === now[0]);
}
