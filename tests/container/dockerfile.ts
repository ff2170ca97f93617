// Reads the Dockerfile as data, as far as this project needs: one instruction per line.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The instructions of the project's Dockerfile, each stage beginning with its FROM. */
export function stages(): readonly (readonly Instruction[])[] {
  const all = lines('Dockerfile').map((line): Instruction => {
    const [word = '', ...rest] = line.split(' ');
    return { word, rest: rest.join(' ') };
  });
  const starts = all.flatMap(({ word }, at) => (word === 'FROM' ? [at] : []));
  return starts.map((start, at) => all.slice(start, starts[at + 1]));
}

/** The arguments of each instruction with this word in the stage. */
export function saying(stage: readonly Instruction[], word: string): readonly string[] {
  return stage.filter((instruction) => instruction.word === word).map(({ rest }) => rest);
}

export function ignored(): readonly string[] {
  return lines('.dockerignore');
}

function lines(name: string): readonly string[] {
  const text = readFileSync(join(ROOT, name), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
