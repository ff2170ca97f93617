// Keeps what gen remembers between runs: ajv's output by schema, and a hash of the last clean run. Deleting it only costs time.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import type { SpecSource } from '../check/project.js';
import type { Remember } from '../emit/validators.js';
import type { SourceFile } from '../load/load.js';
import { write } from './write.js';

export interface Cache {
  /** Returns a remembered text, or creates and remembers it; texts of another version of the generator are not used. */
  readonly remember: Remember;
  /** The hash passed to the last `save`; null if there is none. */
  readonly upToDateHash: string | null;
  /** Folder for the compiler's incremental state. */
  readonly folder: string;
  /** Replaces an equal ledger and equal files with the objects of the last run, for which results are remembered. */
  kept(source: SpecSource): SpecSource;
  /** Saves only the texts that this process used. If the disk refuses, only the next run takes longer. */
  save(upToDateHash: string | null): void;
}

export interface CacheLocation {
  /** The folder that holds one folder per project. */
  readonly root: string;
  readonly spec: string;
  readonly out: string;
  /** Hash of the generator itself. */
  readonly version: string;
}

/** Opens the cache of a project; a missing or damaged one is empty. */
export function openCache({ root, spec, out, version }: CacheLocation): Cache {
  const folder = join(root, short(`${resolve(spec)}\n${resolve(out)}`));
  const path = join(folder, 'remembered.json');
  let state = read(path, version);
  const used = new Map<string, string>();
  let files: ReadonlyMap<string, SourceFile> = new Map();
  let ledger: { readonly text: string; readonly value: SpecSource['ledger'] } = { text: 'null', value: null };
  return {
    remember(key, make) {
      const text = used.get(key) ?? state.texts[key] ?? make();
      used.set(key, text);
      return text;
    },
    get upToDateHash() {
      return state.upToDateHash;
    },
    folder,
    kept(source) {
      const unchanged = source.files.map((file) =>
        files.get(file.path)?.text === file.text ? (files.get(file.path) ?? file) : file,
      );
      files = new Map(unchanged.map((file) => [file.path, file]));
      const text = JSON.stringify(source.ledger);
      if (text !== ledger.text) ledger = { text, value: source.ledger };
      return { ...source, files: unchanged, ledger: ledger.value };
    },
    save(upToDateHash) {
      // A run that had nothing to do used no texts.
      const texts = used.size === 0 ? state.texts : Object.fromEntries(used);
      const next: State = { version, upToDateHash, texts };
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
  readonly upToDateHash: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

function read(path: string, version: string): State {
  const empty: State = { version, upToDateHash: null, texts: {} };
  try {
    const state = JSON.parse(opened(readFileSync(path, 'utf8'))) as State;
    return state.version === version ? state : empty;
  } catch {
    return empty;
  }
}

/** A text prefixed with its checksum, so that damage is noticed. */
function sealed(text: string): string {
  return `${crc32(text)}\n${text}`;
}

/** @returns the text without its checksum; empty if it is damaged */
function opened(text: string): string {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  return text.slice(0, end) === String(crc32(body)) ? body : '';
}

function short(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 20);
}
