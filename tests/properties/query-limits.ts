// The limits of a parameter of a query, by its schema in the API document: values just within and just beyond them.
import type { QueryParameter } from './document.js';

export interface Limits {
  readonly name: string;
  readonly within: readonly string[];
  readonly beyond: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** @returns no values for a parameter without limits */
export function limitsOf({ name, schema }: QueryParameter): Limits {
  const limits = LIMITS.map((rule) => rule(schema));
  return {
    name,
    within: limits.flatMap(({ within = [] }) => within),
    beyond: limits.flatMap(({ beyond = [] }) => beyond),
  };
}

interface Values {
  readonly within?: readonly string[];
  readonly beyond?: readonly string[];
}

/** One rule for each keyword that limits. */
const LIMITS: readonly ((schema: Json) => Values)[] = [
  ({ minimum: least }) => (isNumber(least) ? { within: [`${least}`], beyond: [`${least - 1}`] } : {}),
  ({ maximum: most }) => (isNumber(most) ? { within: [`${most}`], beyond: [`${most + 1}`] } : {}),
  ({ type }) => (type === 'integer' ? { beyond: ['1.5', 'many'] } : type === 'boolean' ? { beyond: ['maybe'] } : {}),
  ({ maxLength: most, enum: values, pattern }) =>
    isNumber(most) && values === undefined && pattern === undefined
      ? { within: ['x'.repeat(most)], beyond: ['x'.repeat(most + 1)] }
      : {},
  ({ enum: values }) => (Array.isArray(values) ? { within: values.map(String), beyond: [`${values[0]}x`] } : {}),
  ({ items, maxItems: most }) => {
    const terms = (items as Json | undefined)?.enum;
    if (!Array.isArray(terms) || !isNumber(most)) return {};
    const rising = terms.filter((one) => !String(one).startsWith('-'));
    return {
      within: [rising.slice(0, most).join()],
      beyond: [...(rising.length > most ? [rising.slice(0, most + 1).join()] : []), `${terms[0]},${terms[0]}`],
    };
  },
];

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
