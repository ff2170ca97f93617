// The command `punchboard check`: reads a spec, says what is wrong with it, writes nothing.

import { check } from '../../check/check.js';
import { collect, refused } from '../../diagnostics/collect.js';
import { type Format, report } from '../../diagnostics/formats/report.js';
import { shownPath } from '../../diagnostics/shown-path.js';
import { load } from '../../load/load.js';
import { readSpec, UnreadableSpec } from '../../write/read-spec.js';
import type { Result } from '../command.js';

export interface CheckOptions {
  readonly spec: string;
  readonly format: Format;
}

/**
 * Code 1: there are errors; warnings alone are code 0. Code 2: there is no spec to read.
 * @param colour true: text may have the colours of a terminal
 */
export function checkSpec({ spec, format }: CheckOptions, colour: boolean): Result {
  try {
    const { files, ledger, code: handwritten } = readSpec(spec);
    const { documents, diagnostics: unreadable } = load(files);
    const diagnostics = collect(unreadable, check(documents, ledger, handwritten).diagnostics);
    const told = { diagnostics, texts: new Map(files.map(({ path, text }) => [path, text])), pathOf: shownPath(spec) };
    const said = report(format, told, colour);
    const code = refused(diagnostics) ? 1 : 0;
    if (format !== 'text') return { code, stdout: said, stderr: '' };
    return { code, stdout: code === 0 ? `No mistakes in ${documents.length} files.\n` : '', stderr: said };
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}
