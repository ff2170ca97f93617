// The files of the recorded runs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';
import type { Exchange } from './exchange.js';
import type { Wire } from './world.js';

export const WIRES: readonly Wire[] = ['plain', 'wing'];
export const FOLDER = join(ROOT, 'tests', 'recorded', 'runs');
export const runFile = (wire: Wire): string => join(FOLDER, `${wire}.jsonl`);
export const digestFile = (wire: Wire): string => join(FOLDER, `${wire}-document.json`);

export function readRun(wire: Wire): readonly Exchange[] {
  const lines = readFileSync(runFile(wire), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Exchange);
}
