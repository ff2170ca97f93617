// A descriptor started from a sample record: one field for each of its members, with a question where the sample does not tell.

import { RESERVED } from '../check/claims.js';
import { type Guess, guess } from './guess.js';
import { head, spoken } from './head.js';
import type { Known } from './known.js';

export type Sample = Readonly<Record<string, unknown>>;

interface Line {
  readonly name: string;
  readonly text: string;
  /** Resource that it refers to. */
  readonly to: string | null;
}

export function fromSample(name: string, sample: Sample, known: Known): string {
  const typeField = Object.keys(sample).find((key) => /^[a-z0-9_]+_object_type$/.test(key));
  const members = Object.keys(sample).filter((key) => key !== typeField && !RESERVED.has(key));
  const guesses = unique(members.flatMap((key) => guess(key, sample, known)));
  const owner =
    guesses.find(({ to }) => to !== null && to === known.principal) ?? guesses.find(({ to }) => to !== null);
  const lines = guesses.map((one) => line(one, one === owner, known));
  const fields = lines.length === 0 ? '' : `fields:\n${lines.map(({ text }) => text).join('')}`;
  const type = typeField === undefined ? '' : `type_field: ${typeField}\n`;
  const edit =
    owner === undefined
      ? ' } # TODO who may edit? Administrators alone, as it is'
      : `, edit: [${owner.name}] } # TODO is this who may edit?`;
  return `${head(name)}${type}${fields}access: { read: anyone${edit}\n`;
}

/** Of two members that come to one name the first. */
function unique(guesses: readonly Guess[]): readonly Guess[] {
  return guesses.filter(({ name }, at) => guesses.findIndex((other) => other.name === name) === at);
}

function line({ name, keys, to, question }: Guess, owns: boolean, { principal }: Known): Line {
  const placed = to === principal ? ['default: session.user'] : ['required: true', 'need: edit', 'on_delete: cascade'];
  const all = [...keys, ...(owns ? [...placed, 'place: true', 'list: true'] : []), `description: ${spoken(name)}.`];
  return { name, to, text: `  ${name}: { ${all.join(', ')} }${question === null ? '' : ` # TODO ${question}`}\n` };
}
