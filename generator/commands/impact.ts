// `punchboard impact`: compares the spec with a commit and reports the effects of the edit; writes nothing.

import { basename, join, resolve } from 'node:path';
import { Option } from 'commander';
import type { SpecSource } from '../check/project.js';
import { type CompiledSpec, compileSpec } from '../compile-spec.js';
import { report as diagnosticsReport } from '../diagnostics/formats.js';
import { shownPath } from '../diagnostics/print.js';
import { parseAcceptances } from '../impact/accepted.js';
import type { CountRows } from '../impact/data.js';
import { FORMATS, type ReportFormat } from '../impact/formats.js';
import { impact } from '../impact/impact.js';
import { parseUses, type UseCounts } from '../impact/notes.js';
import { openFindings } from '../impact/report.js';
import { readIfThere } from '../write/compile.js';
import { readSpecAt } from '../write/git.js';
import { readSpec, UnreadableSpec } from '../write/read-spec.js';
import { attempt, finish, type Register, type Result } from './command.js';
import { withSpecOption } from './project.js';

/** What the command needs besides files: a date, and a database, which the generator may not open itself. */
export interface ImpactEnvironment {
  /** YYYY-MM-DD. */
  today(): string;
  /** Null if there is no database at the path. */
  openRows(path: string): Promise<{ readonly count: CountRows; close(): void } | null>;
}

export const registerImpact =
  (environment: ImpactEnvironment): Register =>
  (program, io) => {
    withSpecOption(
      program
        .command('impact')
        .description('report what an edit of the descriptors does to callers, stored data and web hooks')
        .option('--base <ref>', 'commit to compare with', 'HEAD'),
    )
      .option('--database <file>', 'count the rows at risk in this database, which is only read')
      .option(
        '--metrics <file>',
        'a saved GET /metrics of a running service, to see whether deprecated items are still used',
      )
      .addOption(
        new Option('--format <format>', 'text for people, markdown for a pull request, json for programs')
          .choices(['text', 'markdown', 'json'])
          .default('text'),
      )
      .addHelpText(
        'after',
        '\nExit codes: 0 nothing breaking or exposing, or all of it covered by a version or accepted in impact.yaml; 1 the spec cannot be read or has mistakes; 2 something breaks callers or lets more people see or do something, or wrong usage.',
      )
      .action(async ({ database, ...options }: ImpactOptions & { database?: string }) => {
        const rows = database === undefined ? null : await environment.openRows(database);
        if (database !== undefined && rows === null) {
          return finish({ code: 2, stdout: '', stderr: `${database} does not exist or is not a database\n` }, io);
        }
        try {
          finish(runImpact(options, { today: environment.today(), count: rows?.count ?? null }), io);
        } finally {
          rows?.close();
        }
      });
  };

export interface ImpactOptions {
  readonly base: string;
  readonly spec: string;
  readonly format: ReportFormat;
  /** A file with a response of `GET /metrics`. */
  readonly metrics?: string;
}

export interface ImpactSources {
  /** YYYY-MM-DD. */
  readonly today: string;
  /** Null if no database was named. */
  readonly count: CountRows | null;
}

/** Code 1: one of the specs cannot be read or has mistakes. Code 2: there is an open finding, or no spec. */
export function runImpact(options: ImpactOptions, sources: ImpactSources): Result {
  return attempt(() => {
    const { files, ledger: own } = readSpec(options.spec);
    const before = readSpecAt(options.base, options.spec, basename(resolve(options.spec)));
    const old = compileSpec(before);
    if (!old.ok) return refusal(old, before, { options, at: ` at ${options.base}` });
    // If the old spec had no ledger, both sides use the numbers assigned here.
    const ledger = before.ledger === null ? old.ledger : (own ?? old.ledger);
    const source = { files, ledger };
    const now = compileSpec(source);
    if (!now.ok) return refusal(now, source, { options, at: '' });
    const uses = options.metrics === undefined ? null : readUses(options.metrics);
    const acceptances = parseAcceptances(readIfThere(join(options.spec, 'impact.yaml')));
    const report = impact(old.model, now.model, { ...sources, acceptances, uses, versions: now.versions });
    const stdout = FORMATS[options.format](report, { base: options.base, spec: options.spec });
    return {
      code: openFindings(report).length > 0 ? 2 : 0,
      stdout,
      stderr: report.remarks.map((remark) => `${remark}\n`).join(''),
    };
  });
}

function refusal(
  { diagnostics }: CompiledSpec,
  source: SpecSource,
  { options, at }: { options: ImpactOptions; at: string },
): Result {
  const texts = new Map(source.files.map(({ path, text }) => [path, text]));
  const mistakes = diagnosticsReport('text', { diagnostics, texts, pathOf: shownPath(options.spec) }, false);
  return { code: 1, stdout: '', stderr: `${mistakes}The spec${at} has mistakes; nothing was compared.\n` };
}

function readUses(path: string): UseCounts {
  const text = readIfThere(path);
  if (text === null) throw new UnreadableSpec(`${path} does not exist; save the response of GET /metrics`);
  return parseUses(text);
}
