// What gen remembers between its runs: ajv's output by its schema, and a stamp of the last run. Deleting it only costs time.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Remember } from '../emit/validators.js';
import { write } from './write.js';

export interface Cache {
  /** What another version of the generator remembered is not used. */
  readonly remember: Remember;
  /** The stamp given to the last `save`; null where there is none. */
  readonly stamp: string | null;
  /** Where the compiler keeps what it remembers. */
  readonly folder: string;
  /** Keeps what this run asked for, and nothing else. A disk that refuses costs the next run time and this one nothing. */
  save(stamp: string | null): void;
}

export interface CachePlace {
  /** The folder that holds one folder per project. */
  readonly root: string;
  readonly spec: string;
  readonly out: string;
  /** Hash of the generator itself. */
  readonly version: string;
}

/** Opens the memory of a project, empty where there is none or where it is damaged. */
export function openCache({ root, spec, out, version }: CachePlace): Cache {
  const folder = join(root, short(`${resolve(spec)}\n${resolve(out)}`));
  const path = join(folder, 'remembered.json');
  let state = read(path, version);
  const used = new Map<string, string>();
  return {
    remember(key, make) {
      const text = used.get(key) ?? state.texts[key] ?? make();
      used.set(key, text);
      return text;
    },
    get stamp() {
      return state.stamp;
    },
    folder,
    save(stamp) {
      // A run that found nothing to do asked for nothing.
      const texts = used.size === 0 ? state.texts : Object.fromEntries(used);
      const next: State = { version, stamp, texts };
      used.clear();
      if (JSON.stringify(next) === JSON.stringify(state)) return;
      state = next;
      try {
        write(path, sealed(JSON.stringify(state)));
      } catch {
        // The cache is a convenience.
      }
    },
  };
}

interface State {
  readonly version: string;
  readonly stamp: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

function read(path: string, version: string): State {
  const empty: State = { version, stamp: null, texts: {} };
  try {
    const state = JSON.parse(opened(readFileSync(path, 'utf8'))) as State;
    return state.version === version ? state : empty;
  } catch {
    return empty;
  }
}

/** A text with its checksum in front, so that damage is noticed. */
function sealed(text: string): string {
  return `${crc32(text)}\n${text}`;
}

/** @returns the text without its checksum; empty when it is damaged */
function opened(text: string): string {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  return text.slice(0, end) === String(crc32(body)) ? body : '';
}

function short(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 20);
}
