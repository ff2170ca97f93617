// What the maintainers' commands share: the form of a result, how it is reported, its format, and the spec.

import { type Command, Option } from 'commander';
import { CommandError } from '../../runtime/contract/command-error.js';
import type { SpecSource } from '../check/project.js';
import { type CompiledSpec, compileSpec } from '../compile-spec.js';
import type { DiagnosticFormat } from '../diagnostics/formats.js';
import { print } from '../diagnostics/print.js';
import { readSpec, UnreadableSpec } from '../write/read-spec.js';

/** The output and exit code of a command; the command's function itself neither prints nor exits. */
export interface Result {
  /** 0: done; 1: refused or failed; 2: wrong usage, or a breaking or exposing finding. */
  readonly code: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where the output of a command goes. */
export interface Io {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown };
  exit(code: number): void;
  /** Whether output for people may have colours. */
  readonly colour: boolean;
}

/** Adds one command to the program. */
export type Register = (program: Command, io: Io) => void;

/** Prints a result and sets the exit code. */
export function finish({ code, stdout, stderr }: Result, io: Io): void {
  io.stdout.write(stdout);
  io.stderr.write(stderr);
  io.exit(code);
}

/** Runs a command's function; an unreadable spec folder or a missing package gives a result with its message. */
export function attempt<R extends Result>(work: () => R): R | Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n` };
    if (error instanceof CommandError) return { code: 1, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}

const FORMATS: readonly DiagnosticFormat[] = ['text', 'json', 'github', 'sarif'];

export function formatOption(): Option {
  return new Option('--format <format>', 'output format of the mistakes').choices(FORMATS).default('text');
}

export type CleanSpec = Extract<CompiledSpec, { ok: true }>;

/** @param show produces the result. Code 1: the spec has mistakes; 2: there is no spec to read. */
export function withSpec(folder: string, show: (compiled: CleanSpec, source: SpecSource) => Result): Result {
  return attempt(() => withSource(readSpec(folder), show));
}

/** @param show produces the result. Code 1: the spec has mistakes. */
export function withSource(
  { files, ledger }: SpecSource,
  show: (compiled: CleanSpec, source: SpecSource) => Result,
): Result {
  const compiled = compileSpec({ files, ledger });
  if (compiled.ok) return show(compiled, { files, ledger });
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return { code: 1, stdout: '', stderr: print(compiled.diagnostics, texts) };
}
