// The command `punchboard impact`: reads both specs and what else was named, says what the edit does, writes nothing.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Result } from '../commands/command.js';
import type { Source } from '../compile-spec.js';
import { report as diagnosticsReport } from '../diagnostics/formats/report.js';
import { shownPath } from '../diagnostics/shown-path.js';
import { readSpecAt, UnreadableBase } from '../write/git.js';
import { readSpec, UnreadableSpec } from '../write/read-spec.js';
import { entriesIn } from './accepted.js';
import type { CountRows } from './data.js';
import { FORMATS, type Format } from './formats/formats.js';
import { impact } from './impact.js';
import { type Uses, usesIn } from './notes.js';
import { openFindings } from './open.js';
import { type Read, readModel } from './read-model.js';

export interface ImpactOptions {
  readonly base: string;
  readonly spec: string;
  readonly format: Format;
  /** What `GET /metrics` answered, in a file. */
  readonly metrics?: string;
}

export interface Outside {
  /** YYYY-MM-DD. */
  readonly today: string;
  /** Null: no database was given. */
  readonly count: CountRows | null;
}

/** Code 1: one of the specs cannot be read or has mistakes. Code 2: something breaking is not accepted, or no spec is there. */
export function runImpact(options: ImpactOptions, { today, count }: Outside): Result {
  try {
    const source = readSpec(options.spec);
    const before = readSpecAt(options.base, options.spec, basename(resolve(options.spec)));
    const old = readModel(before);
    if (old.built === null) return refusal(old, before, { options, at: ` at ${options.base}` });
    // A spec that never was under a ledger gets its numbers here, on both sides the same.
    const ledger = before.ledger === null ? old.built.ledger : (source.ledger ?? old.built.ledger);
    const now = readModel({ ...source, ledger });
    if (now.built === null) return refusal(now, source, { options, at: '' });
    const uses = options.metrics === undefined ? null : readUses(options.metrics);
    const entries = entriesIn(textOf(join(options.spec, 'impact.yaml')));
    const report = impact(old.built.model, now.built.model, { today, entries, uses, count });
    const stdout = FORMATS[options.format](report, { base: options.base, spec: options.spec });
    return {
      code: openFindings(report).length > 0 ? 2 : 0,
      stdout,
      stderr: report.remarks.map((remark) => `${remark}\n`).join(''),
    };
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n` };
    if (error instanceof UnreadableBase) return { code: 1, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}

function refusal(
  { diagnostics }: Read,
  source: Source,
  { options, at }: { options: ImpactOptions; at: string },
): Result {
  const texts = new Map(source.files.map(({ path, text }) => [path, text]));
  const said = diagnosticsReport('text', { diagnostics, texts, pathOf: shownPath(options.spec) }, false);
  return { code: 1, stdout: '', stderr: `${said}The spec${at} has mistakes; nothing was compared.\n` };
}

function readUses(path: string): Uses {
  const text = textOf(path);
  if (text === null) throw new UnreadableSpec(`${path} is not there; save what GET /metrics answers`);
  return usesIn(text);
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
