// What gen remembers between its runs, in a folder of its own that anybody may delete. Damage and loss cost time, never a byte.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Kind, Memo } from './desk.js';
import { createFileHashes, type FileHashes, type Seen } from './file-hashes.js';
import { write } from './io.js';

export interface Cache {
  readonly memo: Memo;
  readonly hashes: FileHashes;
  /** Where the compiler keeps what it remembers. */
  readonly folder: string;
  /** Writes what changed. @param whole true after a run that asked for all it needs: what nobody asked for goes */
  save(whole: boolean): void;
}

export interface CachePlace {
  /** The folder that holds one folder per project. */
  readonly root: string;
  readonly spec: string;
  readonly out: string;
  /** Hash of the generator itself: what another one remembered says nothing. */
  readonly version: string;
  /** Epoch milliseconds. */
  now(): number;
}

/** Kinds whose texts are long and of which few are needed: a file each. */
const IN_FILES: ReadonlySet<Kind> = new Set(['piece']);

/** Opens the memory of a project, empty where there is none yet. */
export function openCache(place: CachePlace): Cache {
  const { root, spec, out, version, now } = place;
  const project = join(root, short(`${resolve(spec)}\n${resolve(out)}`));
  const folder = join(project, version);
  forget(root, project, version);
  const state = readState(join(folder, 'state.json'));
  const texts = new Map(state.texts);
  const used = new Set<string>();
  const hashes = createFileHashes(new Map(state.files), now);
  let changed = false;
  const memo: Memo = {
    recall(kind, key) {
      const name = `${kind}/${key}`;
      used.add(name);
      if (texts.has(name)) return texts.get(name) ?? null;
      const text = IN_FILES.has(kind) ? open(read(join(folder, name))) : null;
      if (text !== null) texts.set(name, text);
      return text;
    },
    keep(kind, key, text) {
      const name = `${kind}/${key}`;
      used.add(name);
      texts.set(name, text);
      changed = true;
      if (IN_FILES.has(kind)) store(join(folder, name), sealed(text));
    },
  };
  return {
    memo,
    hashes,
    folder,
    save(whole) {
      if (whole) {
        for (const name of texts.keys()) if (!used.has(name)) changed = texts.delete(name);
        for (const kind of IN_FILES) prune(folder, kind, used);
      }
      if (changed || hashes.changed()) {
        const small = [...texts].filter(([name]) => !IN_FILES.has(name.split('/')[0] as Kind));
        const text = sealed(JSON.stringify({ texts: small, files: [...hashes.seen()] }));
        store(join(project, 'out.txt'), resolve(out));
        store(join(folder, 'state.json'), text);
      }
      used.clear();
      changed = false;
    },
  };
}

interface State {
  readonly texts: readonly (readonly [string, string])[];
  readonly files: readonly (readonly [string, Seen])[];
}

function readState(path: string): State {
  try {
    return JSON.parse(open(read(path)) ?? '') as State;
  } catch {
    return { texts: [], files: [] };
  }
}

/** A text with its checksum in front, so that damage is found. */
function sealed(text: string): string {
  return `${crc32(text)}\n${text}`;
}

function open(text: string | null): string | null {
  if (text === null) return null;
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  return text.slice(0, end) === String(crc32(body)) ? body : null;
}

function short(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 20);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** A disk that refuses costs the next run time and this one nothing. */
function store(path: string, text: string): void {
  try {
    write(path, text);
  } catch {
    // The cache is a convenience.
  }
}

/** Drops what other generators remembered, and projects whose output is gone. */
function forget(root: string, project: string, version: string): void {
  for (const other of names(project)) {
    if (other !== version && other !== 'out.txt') rmSync(join(project, other), { recursive: true, force: true });
  }
  for (const name of names(root)) {
    const out = read(join(root, name, 'out.txt'));
    if (out !== null && !existsSync(out)) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function prune(folder: string, kind: Kind, used: ReadonlySet<string>): void {
  for (const name of names(join(folder, kind))) {
    if (!used.has(`${kind}/${name}`)) rmSync(join(folder, kind, name), { force: true });
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
