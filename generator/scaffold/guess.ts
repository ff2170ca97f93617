// What kind of field a member of a sample record is: a table of tries, the first that fits. Reads one sample, so it asks where unsure.

import type { Sample } from './from-sample.js';
import type { Known } from './known.js';

export interface Guess {
  readonly name: string;
  /** Keys of the field as YAML, without braces. */
  readonly keys: readonly string[];
  /** Resource that it refers to. */
  readonly to: string | null;
  /** What the author should look at; null where the sample tells. */
  readonly question: string | null;
}

/** None for a member that belongs to another one, such as the related record beside its id. */
export function guess(key: string, sample: Sample, known: Known): readonly Guess[] {
  const name = snakeCase(key);
  if (name === null) return [];
  const renamed = name === key ? null : `the sample calls it ${JSON.stringify(key)}`;
  const found = reference(name, sample, known) ?? scalar(sample[key]);
  if (found === 'part') return [];
  return [{ name, to: null, ...found, question: [found.question, renamed].filter(Boolean).join('; ') || null }];
}

type Found = Pick<Guess, 'keys' | 'question'> & Partial<Pick<Guess, 'name' | 'to'>>;

/** Ids, proof flags and the records beside them; null for anything else. */
function reference(name: string, sample: Sample, { resources, hasUploads }: Known): Found | 'part' | null {
  const proofed = /^has_proofed_(.+)$/.exec(name)?.[1];
  if (proofed !== undefined && hasUploads)
    return `${proofed}_id` in sample ? 'part' : { name: proofed, keys: ['kind: image'], question: null };
  if (`${name}_id` in sample && isObjectOrNothing(sample[name])) return 'part';
  const base = /^(.+)_id$/.exec(name)?.[1];
  if (base === undefined) return null;
  if (`has_proofed_${base}` in sample && hasUploads) return { name: base, keys: ['kind: image'], question: null };
  const to = target(base, sample, resources);
  if (to !== null) return { name: base, keys: ['kind: reference', `to: ${to}`], to, question: null };
  return { keys: ['kind: text', 'max: 64'], question: 'a record of which resource? Then kind: reference' };
}

/** A resource of that name, or the one that the record beside the id says it is. */
function target(base: string, sample: Sample, resources: Known['resources']): string | null {
  const related = sample[base];
  const type = typeof related === 'object' && related !== null ? (related as Sample).object_type : undefined;
  return [base, String(type), base.replaceAll('_', '')].find((name) => resources.has(name)) ?? null;
}

function isObjectOrNothing(value: unknown): boolean {
  return typeof value === 'object';
}

interface Try {
  fits(value: unknown): boolean;
  found(value: unknown): Found;
}

const asText = (pattern: RegExp, found: (text: string) => Found): Try => ({
  fits: (value) => typeof value === 'string' && pattern.test(value),
  found: (value) => found(String(value)),
});
const sure = (...keys: readonly string[]): Found => ({ keys, question: null });

const TRIES: readonly Try[] = [
  {
    fits: (value) => value === null,
    found: () => ({ keys: ['kind: text'], question: 'the sample has null: which kind is it?' }),
  },
  { fits: (value) => typeof value === 'boolean', found: () => sure('kind: boolean') },
  { fits: (value) => Number.isSafeInteger(value), found: () => sure('kind: integer') },
  {
    fits: (value) => typeof value === 'number',
    found: () => ({
      keys: ['kind: decimal', 'scale: 2'],
      question: 'the sample has a number; decimals are sent as text. How many digits?',
    }),
  },
  asText(/^-?\d{1,15}\.\d{1,12}$/, (text) => sure('kind: decimal', `scale: ${text.length - text.indexOf('.') - 1}`)),
  asText(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/, () => sure('kind: date')),
  asText(/^https?:\/\/\S+$/, () => sure('kind: url')),
  asText(/^[\s\S]{0,255}$/, () => sure('kind: text', 'max: 255')),
  {
    fits: (value) => typeof value === 'string',
    found: () => ({ keys: ['kind: text'], question: 'how long may it be?' }),
  },
];

function scalar(value: unknown): Found {
  const found = TRIES.find(({ fits }) => fits(value))?.found(value);
  return found ?? { keys: ['kind: json'], question: 'a schema would check what is sent' };
}

/** `boxColour` to `box_colour`; null where no name comes of it. */
function snakeCase(key: string): string | null {
  const name = key
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
    .replace(/^[_0-9]+|_+$/g, '');
  return /^[a-z][a-z0-9_]{0,59}$/.test(name) ? name : null;
}
