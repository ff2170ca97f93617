// What all maintainers' commands have in common: the shape of their work and how it ends. No command itself.

import type { Command } from 'commander';
import { UnreadableSpec } from '../write/read-spec.js';

/** What a command says and how it ends; the work itself neither prints nor exits. */
export interface Result {
  /** 0: done; 1: refused or failed; 2: wrong usage, or a finding the caller asked to be told of. */
  readonly code: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command's words go. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  exit(code: number): void;
  /** True: what is said to people may have colours. */
  readonly colour: boolean;
}

/** Adds one command to the program. */
export type Register = (program: Command, io: Io) => void;

/** Says a result and sets the exit code. */
export function finish({ code, stdout, stderr }: Result, io: Io): void {
  io.stdout.write(stdout);
  io.stderr.write(stderr);
  io.exit(code);
}

/** Does the work of a command; a spec folder that cannot be read ends it with a message. */
export function attempt<R extends Result>(work: () => R): R | Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}
