// `punchboard check`: reports the mistakes in a spec and writes nothing.

import { compileSpec } from '../compile-spec.js';
import { refused } from '../diagnostics/diagnostic.js';
import { type Format, report } from '../diagnostics/formats.js';
import { shownPath } from '../diagnostics/print.js';
import { readSpec } from '../write/read-spec.js';
import { attempt, finish, formatOption, type Register, type Result } from './command.js';
import { withSpecOption } from './project.js';

export const registerCheck: Register = (program, io) => {
  withSpecOption(program.command('check').description('report mistakes in the descriptors without writing anything'))
    .addOption(formatOption())
    .addHelpText('after', '\nExit codes: 0 no mistakes; 1 mistakes; 2 wrong usage.')
    .action((options: CheckOptions) => finish(checkSpec(options, io.colour), io));
};

export interface CheckOptions {
  readonly spec: string;
  readonly format: Format;
}

/**
 * Code 1: there are errors (warnings alone are code 0). Code 2: there is no spec to read.
 * @param colour true: text may have the colours of a terminal
 */
export function checkSpec({ spec, format }: CheckOptions, colour: boolean): Result {
  return attempt(() => {
    const source = readSpec(spec);
    const { documents, diagnostics } = compileSpec(source);
    const texts = new Map(source.files.map(({ path, text }) => [path, text]));
    const output = report(format, { diagnostics, texts, pathOf: shownPath(spec) }, colour);
    const code = refused(diagnostics) ? 1 : 0;
    if (format !== 'text') return { code, stdout: output, stderr: '' };
    return { code, stdout: code === 0 ? `No mistakes in ${documents.length} files.\n` : '', stderr: output };
  });
}
