// Draws the comparison with other servers: for each measure, a bar for each server, relative to the fastest.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { ROOT } from '../support/paths.js';
import type { What } from './asked.js';
import type { Results } from './parts/beside.js';
import { machine } from './results.js';

const BENCH = join(ROOT, 'tests', 'bench');
/** The measures that are drawn, under their captions, in two columns. */
const PANELS: readonly (readonly [What, string])[] = [
  ['fetch, anonymous', 'Fetch by id'],
  ['create', 'Create, with a session'],
  ['fetch, its owner', 'Fetch by id, with a session'],
  ['update', 'Update, with a session'],
  ['list of 25', 'List of 25'],
  ['90 fetches, 10 creates', '90 % fetches, 10 % creates, with a session'],
];
const UNITS = { perCpuSecond: 'requests per second of processor time', perSecond: 'requests per second' };
/** Pixels. */
const [PANEL, LABEL, LENGTH, BAR, STEP, TOP] = [420, 118, 232, 15, 20, 62];

/** Writes `plot.svg`. */
export function plot(results: Results): void {
  const template = readFileSync(join(BENCH, 'plot.svg.hbs'), 'utf8');
  writeFileSync(join(BENCH, 'plot.svg'), Handlebars.compile(template, { strict: true })(viewOf(results)));
}

function viewOf(results: Results) {
  const servers = Math.max(...[...results.values()].map(({ rates }) => rates.length));
  const height = 44 + servers * STEP + 18;
  const panels = PANELS.map(([what, title], at) => {
    const { unit = 'perSecond', rates = [] } = results.get(what) ?? {};
    const most = Math.max(...rates.map((rate) => rate[unit]));
    const bars = rates.map((rate, row) => {
      const width = Math.max(1, Math.round((rate[unit] / most) * LENGTH));
      const y = 44 + row * STEP;
      const value = Math.round(rate[unit]).toLocaleString('en');
      return { server: rate.name, own: row === 0, y, text: y + 12, width, end: LABEL + width + 6, value };
    });
    return { title, unit: UNITS[unit], x: 12 + (at % 2) * PANEL, y: TOP + Math.floor(at / 2) * height, bars };
  });
  const bottom = TOP + Math.ceil(PANELS.length / 2) * height;
  const frame = { width: 2 * PANEL + 12, height: bottom + 26, footer: bottom + 8 };
  return { panels, ...frame, machine: machine(), label: LABEL, edge: LABEL - 8, thickness: BAR };
}
