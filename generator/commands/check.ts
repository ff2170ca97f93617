// `punchboard check`: reports the mistakes in a spec, and with --fix corrects those whose correction is certain.

import type { SpecSource } from '../check/project.js';
import { compileSpec } from '../compile-spec.js';
import { hasErrors } from '../diagnostics/diagnostic.js';
import { type DiagnosticFormat, report } from '../diagnostics/formats.js';
import { position, shownPath } from '../diagnostics/print.js';
import { type Fix, fixSpec } from '../fix-spec.js';
import { readSpec } from '../write/read-spec.js';
import { rewriteSpec } from '../write/write.js';
import { attempt, finish, formatOption, type Register, type Result } from './command.js';
import { withSpecOption } from './project.js';

export const registerCheck: Register = (program, io) => {
  withSpecOption(
    program.command('check').description('report mistakes in the descriptors; without --fix, nothing is written'),
  )
    .addOption(formatOption())
    .option('--fix', 'first fix what is certain: typos close to a single name, and uses of a name that "was" replaced')
    .addHelpText('after', '\nExit codes: 0 no mistakes; 1 mistakes; 2 wrong usage.')
    .action((options: CheckOptions) => finish(checkSpec(options, io.colour), io));
};

export interface CheckOptions {
  readonly spec: string;
  readonly format: DiagnosticFormat;
  /** Whether files are corrected. */
  readonly fix?: boolean;
}

/**
 * Code 1: there are errors (warnings alone give code 0). Code 2: there is no spec to read.
 * @param colour whether text may have the colours of a terminal
 */
export function checkSpec({ spec, format, fix = false }: CheckOptions, colour: boolean): Result {
  return attempt(() => {
    const original = readSpec(spec);
    const { source, fixes } = fix ? fixSpec(original) : { source: original, fixes: [] };
    rewriteSpec(spec, changed(original, source));
    const fixed = fixes.map((one) => `${fixText(one, shownPath(spec))}\n`).join('');
    const { documents, diagnostics } = compileSpec(source);
    const texts = new Map(source.files.map(({ path, text }) => [path, text]));
    const output = report(format, { diagnostics, texts, pathOf: shownPath(spec) }, colour);
    const code = hasErrors(diagnostics) ? 1 : 0;
    if (format !== 'text') return { code, stdout: output, stderr: fixed };
    const none = code === 0 ? `No mistakes in ${documents.length} files.\n` : '';
    return { code, stdout: `${fixed}${none}`, stderr: output };
  });
}

function changed(before: SpecSource, { files }: SpecSource): SpecSource['files'] {
  return files.filter(({ path, text }) => before.files.some((one) => one.path === path && one.text !== text));
}

/** `spec/resources/board.yaml:7:3: fixed "quantty" to "quantity"` */
function fixText({ path, text, start, word, name }: Fix, pathOf: (path: string) => string): string {
  const { line, column } = position(text, start);
  return `${pathOf(path)}:${line}:${column}: fixed "${word}" to "${name}"`;
}
