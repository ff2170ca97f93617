// Draws what was measured beside others: for each measure a bar for each server, of the fastest one's length.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { ROOT } from '../support/paths.js';

const BENCH = join(ROOT, 'tests', 'bench');
const [LABEL, LENGTH, BAR, GAP] = [150, 460, 16, 30];

export interface Bars {
  readonly title: string;
  /** By server, in one order for all measures. */
  readonly values: readonly (readonly [server: string, value: number])[];
}

/** Writes `plot.svg`. */
export function plot(measures: readonly Bars[]): void {
  const template = readFileSync(join(BENCH, 'plot.svg.hbs'), 'utf8');
  writeFileSync(join(BENCH, 'plot.svg'), Handlebars.compile(template, { strict: true })(viewOf(measures)));
}

function viewOf(measures: readonly Bars[]) {
  let y = 10;
  const groups = measures.map(({ title, values }) => {
    const most = Math.max(...values.map(([, value]) => value));
    const heading = { title, y: y + 14 };
    y += 24;
    const bars = values.map(([server, value], at) => {
      const bar = { server, own: at === 0, y, text: y + 12, width: Math.max(1, Math.round((value / most) * LENGTH)) };
      y += BAR + 4;
      return { ...bar, end: LABEL + bar.width + 6, value: Math.round(value).toLocaleString('en') };
    });
    y += GAP - 14;
    return { ...heading, bars };
  });
  return { groups, height: y, width: LABEL + LENGTH + 80, label: LABEL, edge: LABEL - 8, thickness: BAR };
}
