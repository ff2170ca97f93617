// `punchboard version`: keeps the service's current API under a date; clients that name it are answered as on that day (D68).

import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { VERSIONS } from '../../runtime/project/spec-files.js';
import { inline, printJson } from '../emit/print.js';
import { type Difference, differencesIn } from '../emit/versions.js';
import { ledgerText } from '../ledger/ledger.js';
import { compose, differing } from '../versions/compose.js';
import { cut, type Shape, type ShapeField, type ShapeResource } from '../versions/shape.js';
import { viewOf } from '../versions/view.js';
import { readIfThere } from '../write/compile.js';
import { readSpecAt } from '../write/git.js';
import { removeFile, writeFile } from '../write/one-file.js';
import { readSpec } from '../write/read-spec.js';
import {
  attempt,
  type CleanSpec,
  finish,
  type Register,
  type Result,
  readMetrics,
  withSource,
  withSpec,
} from './command.js';
import { withSpecOption } from './project.js';

interface VersionOptions {
  readonly spec: string;
  readonly sunset?: string;
  readonly from?: string;
  readonly metrics?: string;
}

type Run = (date: string, options: VersionOptions) => Result;

const DATE = ['<date>', 'YYYY-MM-DD'] as const;
const EXIT_CODES = '\nExit codes: 0 done; 1 refused, or mistakes in the descriptors; 2 wrong usage.';
const METRICS = 'a saved GET /metrics of a running service';

/** @param today YYYY-MM-DD */
export const registerVersion =
  (today: () => string): Register =>
  (program, io) => {
    const version = program
      .command('version')
      .description('cut dated versions of the API, under which older clients keep working')
      .addHelpText('after', EXIT_CODES);
    const add = (name: string, description: string, run: Run): Command => {
      const command = withSpecOption(version.command(name).description(description)).addHelpText('after', EXIT_CODES);
      const outcome = () => attempt(() => run(command.args[0] ?? '', command.opts()));
      return command.action(() => finish(outcome(), io));
    };
    add('cut', 'write what the service offers today to spec/versions/<date>.json', cutVersion)
      .argument(...DATE)
      .option('--sunset <date>', 'last day on which it is served; by default a year later')
      .option('--from <ref>', 'cut what a commit offers instead of the working tree');
    add('list', 'show the versions', listVersions).option('--metrics <file>', `${METRICS}: says who uses each`);
    add('show', 'show what a version offers', withVersion(shown)).argument(...DATE);
    add('diff', 'show which resources differ, and what is not covered', withVersion(differences)).argument(...DATE);
    const dropVersion = withVersion((shape, _, options) => drop(shape, options, today()));
    add('drop', 'remove a version after its sunset', dropVersion)
      .argument(...DATE)
      .option('--metrics <file>', `${METRICS}: a version in use is not dropped`);
  };

/** Exits with 2 if a date is wrong, and with 1 if the version exists already or the spec has mistakes. */
function cutVersion(date: string, { spec, sunset = yearAfter(date), from }: VersionOptions): Result {
  for (const one of [date, sunset]) if (!isDate(one)) return refused(`${one} is not a date such as 2027-01-15`, 2);
  if (sunset <= date) return refused(`the sunset ${sunset} is not after ${date}`, 2);
  const path = pathOf(spec, date);
  if (readIfThere(path) !== null) return refused(`${path} already exists: a version never changes`);
  const source = from === undefined ? readSpec(spec) : readSpecAt(from, spec, basename(resolve(spec)));
  return withSource(source, ({ model, ledger }) => {
    // A name missing from the ledger would get another number after a rename.
    const at = from === undefined ? '' : ` at ${from}`;
    if (source.ledger === null || ledgerText(ledger) !== ledgerText(source.ledger))
      return refused(`the ledger${at} does not know all of the spec: run gen first`);
    writeFile(path, printJson(cut(model, date, sunset)));
    return done(`Wrote ${path}: ${model.resources.length} resources, served until ${sunset}.\n`);
  });
}

function drop({ version, sunset }: Shape, { spec, metrics }: VersionOptions, today: string): Result {
  if (sunset !== undefined && today <= sunset) return refused(`${version} is served until ${sunset}`);
  const used = usesOf(version, metrics);
  if (used.length > 0) return refused(`${version} is still used: ${used.join(', ')}`);
  removeFile(pathOf(spec, version));
  return done(`Removed ${pathOf(spec, version)}.\n`);
}

function listVersions(_: string, { spec, metrics }: VersionOptions): Result {
  return withSpec(spec, ({ versions }) => {
    const lines = versions.map(({ version, sunset = '-', resources }) => {
      const count = `${Object.keys(resources).length} resources`;
      return `${[version, `until ${sunset}`, count, ...usesOf(version, metrics)].join('  ')}\n`;
    });
    return done(lines.join('') || 'There are no versions.\n');
  });
}

/** @returns the uses of a version that a running service has counted, such as `12 requests`; none without a file */
function usesOf(version: string, file: string | undefined): readonly string[] {
  const sums = new Map<string, number>();
  for (const [, name, by = 'request', count] of (file === undefined ? '' : readMetrics(file)).matchAll(USES))
    if (name === version) sums.set(by, (sums.get(by) ?? 0) + Number(count));
  return [...sums].flatMap(([by, sum]) => (sum === 0 ? [] : [`${sum} ${by}${sum === 1 ? '' : 's'}`]));
}

const USES = /^punchboard_version_(?:use_total|remembered)\{version="([^"]*)"(?:,by="(\w+)")?\} (\d+)/gm;

function withVersion(show: (shape: Shape, compiled: CleanSpec, options: VersionOptions) => Result): Run {
  return (date, options) =>
    withSpec(options.spec, (compiled) => {
      const shape = compiled.versions.find(({ version }) => version === date);
      if (shape !== undefined) return show(shape, compiled, options);
      const dates = compiled.versions.map(({ version }) => version).join(', ');
      return refused(`there is no version ${date}${dates && `; the versions are ${dates}`}`);
    });
}

function shown({ resources }: Shape): Result {
  const linesOf = (fields: ShapeResource['fields']) => Object.entries(fields).map(fieldLine).join('');
  const texts = Object.entries(resources).map(([name, { fields }]) => `${name}\n${linesOf(fields)}`);
  return done(texts.join(''));
}

function fieldLine([name, field]: readonly [string, ShapeField]): string {
  const { values, form, required, only, default: value } = field;
  const choices = values && `one of ${Object.keys(values).join(', ')}`;
  const stated = value === undefined ? '' : `by default ${JSON.stringify(value)}`;
  const words = [name, form, required && 'required', only && `only ${only}`, choices, stated];
  return `  ${words.filter((word) => word).join('  ')}\n`;
}

function differences(shape: Shape, { model }: CleanSpec): Result {
  const survivors = compose(shape, model);
  const tables = Object.values(differing(survivors, model)).map(({ name }) => name);
  const served = cut(viewOf(model, survivors), shape.version, shape.sunset);
  // A conflict names the column of the version, whatever the order of a set is today.
  const gaps = differencesIn(shape.resources, served.resources).filter(([place]) => place[1] !== 'uniques');
  const answers = tables.length === 0 ? "today's answers" : `earlier answers for: ${tables.join(', ')}`;
  const lines = gaps.map((gap) => `  ${differenceText(gap)}\n`);
  const rest = lines.length === 0 ? 'Everything is covered.\n' : `Not covered:\n${lines.join('')}`;
  return done(`Callers of ${shape.version} get ${answers}\n${rest}`);
}

function differenceText([place, earlier, today]: Difference): string {
  const at = place.join('.');
  if (today === undefined) return `${at} is gone`;
  return earlier === undefined ? `${at} is new: ${inline(today)}` : `${at}: ${inline(earlier)} -> ${inline(today)}`;
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

function yearAfter(date: string): string {
  return `${Number(date.slice(0, 4)) + 1}${date.slice(4).replace('-02-29', '-02-28')}`;
}

const pathOf = (spec: string, date: string) => join(spec, VERSIONS, `${date}.json`);
const done = (stdout: string): Result => ({ code: 0, stdout, stderr: '' });
const refused = (message: string, code: 1 | 2 = 1): Result => ({ code, stdout: '', stderr: `${message}\n` });
