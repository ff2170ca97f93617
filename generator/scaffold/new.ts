// The command `punchboard new`: writes one descriptor that check takes as it is, and never over another.

import { join } from 'node:path';
import { NO_IDENTIFIERS } from '../check/claims.js';
import type { Result } from '../commands/command.js';
import { print } from '../diagnostics/print.js';
import { suggest } from '../diagnostics/suggest.js';
import type { Source } from '../generate.js';
import { readSpec, UnreadableSpec } from '../io.js';
import { readIfText, writeNew } from '../one-file.js';
import { shownPath } from '../shown-path.js';
import { blank } from './blank.js';
import { fitted } from './fitted.js';
import { fromSample } from './from-sample.js';
import { type Known, knownOf } from './known.js';
import { like } from './like.js';

export interface NewOptions {
  readonly spec: string;
  /** Name of the resource to start from. */
  readonly like?: string;
  /** File with a sample record. */
  readonly fromJson?: string;
}

/** Code 1: refused, with the reason; nothing is written. Code 2: there is no spec to read. */
export function newDescriptor(name: string, options: NewOptions): Result {
  try {
    const source = readSpec(options.spec);
    const known = knownOf(source);
    const wrong = misnamed(name, source, options) ?? unlike(known, options.like);
    if (wrong !== null) return { code: 1, stdout: '', stderr: `${wrong}\n` };
    const started = start(name, source, known, options);
    return 'refused' in started
      ? { code: 1, stdout: '', stderr: `${started.refused}\n` }
      : written(name, started.text, source, options);
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}

function written(name: string, text: string, source: Source, { spec }: NewOptions): Result {
  const folder = source.files[0]?.path.split('/')[0] ?? 'spec';
  const path = `${folder}/resources/${name}.yaml`;
  const result = fitted({ path, text }, source);
  if ('diagnostics' in result) {
    const texts = new Map([...source.files, { path, text }].map((file) => [file.path, file.text]));
    return { code: 1, stdout: '', stderr: `${print(result.diagnostics, texts)}Nothing is written.\n` };
  }
  writeNew(join(spec, 'resources', `${name}.yaml`), result.text);
  const questions = result.text.match(/TODO/g)?.length ?? 0;
  const look = questions === 0 ? '' : `${questions} ${questions === 1 ? 'line' : 'lines'} marked TODO to look at\n`;
  return { code: 0, stdout: `made    ${shownPath(spec)(path)}\n${look}`, stderr: '' };
}

/** Null: the name can be used. */
function misnamed(name: string, { files }: Source, { spec }: NewOptions): string | null {
  if (!/^[a-z][a-z0-9]{0,59}$/.test(name)) {
    return `"${name}" cannot be the name of a resource: at most 60 lower case letters and digits, starting with a letter`;
  }
  if (NO_IDENTIFIERS.has(name)) return `"${name}" cannot be the name of a resource: the generated code cannot use it`;
  const there = files.find(({ path }) => path.replace(/\.ya?ml$/, '').endsWith(`/resources/${name}`));
  return there === undefined ? null : `${shownPath(spec)(there.path)} is there already; nothing is written`;
}

/** Null: there is such a resource, or none is asked for. */
function unlike({ resources }: Known, wanted: string | undefined): string | null {
  if (wanted === undefined || resources.has(wanted)) return null;
  const near = suggest(wanted, resources.keys());
  return `There is no resource "${wanted}" to start from${near === null ? '' : `; did you mean "${near}"?`}`;
}

type Started = { readonly text: string } | { readonly refused: string };

function start(name: string, source: Source, known: Known, options: NewOptions): Started {
  const path = options.like === undefined ? undefined : known.resources.get(options.like);
  if (path !== undefined) {
    const text = source.files.find((file) => file.path === path)?.text ?? '';
    return { text: like(name, text, options.like ?? '') };
  }
  if (options.fromJson === undefined) return { text: blank(name, known) };
  const text = readIfText(options.fromJson);
  if (text === null) return { refused: `${options.fromJson} is not there, or is no UTF-8 text` };
  const record = sample(text);
  if (record === undefined) return { refused: `${options.fromJson} is no JSON` };
  if (record === null) return { refused: `${options.fromJson} holds no record: a JSON object, or a list of them` };
  return { text: fromSample(name, record, known) };
}

/** A record, the first of a list of them, or what an answer has under `result`; null: there is none; undefined: no JSON. */
function sample(text: string): Readonly<Record<string, unknown>> | null | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const inner = isRecord(value) && isRecord(value.result) ? value.result : value;
  const first: unknown = Array.isArray(inner) ? inner[0] : inner;
  return isRecord(first) ? first : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
