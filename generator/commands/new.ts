// `punchboard new`: writes a descriptor that passes check as it is, and never overwrites another.

import { join } from 'node:path';
import { NO_IDENTIFIERS } from '../check/claims.js';
import type { SpecSource } from '../check/project.js';
import { compileSpec } from '../compile-spec.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { print, shownPath } from '../diagnostics/print.js';
import { suggest } from '../diagnostics/suggest.js';
import type { SourceFile } from '../load/load.js';
import { readSpec } from '../write/read-spec.js';
import { writeNew } from '../write/write.js';
import { attempt, finish, type Register, type Result } from './command.js';
import { blankDescriptor, descriptorLike, type SpecSummary, summarize } from './new/descriptor.js';
import { withSpecOption } from './project.js';

export const registerNew: Register = (program, io) => {
  withSpecOption(
    program
      .command('new')
      .description('write a new descriptor to start from')
      .argument('<name>', 'name of the new resource')
      .option('--like <resource>', 'copy the descriptor of this resource'),
  )
    .addHelpText('after', '\nExit codes: 0 written; 1 refused, nothing written; 2 wrong usage.')
    .action((name: string, options: NewOptions) => finish(newDescriptor(name, options), io));
};

export interface NewOptions {
  readonly spec: string;
  /** Name of the resource to start from. */
  readonly like?: string;
}

/** Code 1: refused, with the reason, and nothing is written. Code 2: there is no spec to read. */
export function newDescriptor(name: string, options: NewOptions): Result {
  return attempt(() => {
    const source = readSpec(options.spec);
    const summary = summarize(source);
    const refusal = refusedName(name, source, options) ?? refusedModel(summary, options.like);
    if (refusal !== null) return { code: 1, stdout: '', stderr: `${refusal}\n` };
    return writeDescriptor(name, start(name, source, summary, options), source, options);
  });
}

function writeDescriptor(name: string, text: string, source: SpecSource, { spec }: NewOptions): Result {
  const folder = source.files[0]?.path.split('/')[0] ?? 'spec';
  const path = `${folder}/resources/${name}.yaml`;
  const files = [...source.files, { path, text }];
  const diagnostics = newErrors(files, source);
  if (diagnostics.length > 0) {
    const texts = new Map(files.map((file) => [file.path, file.text]));
    return { code: 1, stdout: '', stderr: `${print(diagnostics, texts)}Nothing was written.\n` };
  }
  writeNew(join(spec, 'resources', `${name}.yaml`), text);
  const questions = text.match(/TODO/g)?.length ?? 0;
  const todo = questions === 0 ? '' : `${questions} ${questions === 1 ? 'line is' : 'lines are'} marked TODO\n`;
  return { code: 0, stdout: `created ${shownPath(spec)(path)}\n${todo}`, stderr: '' };
}

/** The errors that the new descriptor would add to the existing ones. */
function newErrors(files: readonly SourceFile[], source: SpecSource): readonly Diagnostic[] {
  const keyOf = ({ path, start, code, message }: Diagnostic): string => `${path} ${start} ${code} ${message}`;
  const before = new Set(errorsOf(source.files, source).map(keyOf));
  return errorsOf(files, source).filter((one) => !before.has(keyOf(one)));
}

function errorsOf(files: readonly SourceFile[], source: SpecSource): readonly Diagnostic[] {
  return compileSpec({ ...source, files }).diagnostics.filter(({ severity }) => severity === 'error');
}

/** @returns why the name cannot be used; null if it can */
function refusedName(name: string, { files }: SpecSource, { spec }: NewOptions): string | null {
  if (!/^[a-z][a-z0-9]{0,59}$/.test(name)) {
    return `"${name}" cannot be the name of a resource: at most 60 lower-case letters and digits, starting with a letter`;
  }
  if (NO_IDENTIFIERS.has(name))
    return `"${name}" cannot be the name of a resource: generated code cannot use it as an identifier`;
  const existing = files.find(({ path }) => path.replace(/\.ya?ml$/, '').endsWith(`/resources/${name}`));
  return existing === undefined ? null : `${shownPath(spec)(existing.path)} already exists; nothing was written`;
}

/** @returns why the resource cannot be copied; null if it can, or if none is named */
function refusedModel({ resources }: SpecSummary, wanted: string | undefined): string | null {
  if (wanted === undefined || resources.has(wanted)) return null;
  const near = suggest(wanted, resources.keys());
  return `There is no resource "${wanted}" to copy${near === null ? '' : `; did you mean "${near}"?`}`;
}

function start(name: string, source: SpecSource, summary: SpecSummary, { like: other = '' }: NewOptions): string {
  const path = summary.resources.get(other);
  return path === undefined
    ? blankDescriptor(name, summary)
    : descriptorLike(name, source.files.find((file) => file.path === path)?.text ?? '', other);
}
