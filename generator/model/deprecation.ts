// What is to go (D38): its dates, the sentence that tells them, and both on all that a field becomes. Nothing of a wire.

import type { Dates } from '../../runtime/definition.js';
import type { Part } from './kinds/part.js';

/** The dates that a resource or field states; null: it states none. */
export function datesOf({ deprecated, sunset }: Dates): Dates | null {
  if (deprecated === undefined && sunset === undefined) return null;
  return { ...(deprecated === undefined ? {} : { deprecated }), ...(sunset === undefined ? {} : { sunset }) };
}

/** `Deprecated as of 2030-01-31; to be removed on 2031-01-31.`, or the half of it that is known. */
export function deprecationSentence({ deprecated, sunset }: Dates): string {
  if (deprecated === undefined) return `To be removed on ${sunset}.`;
  return `Deprecated as of ${deprecated}${sunset === undefined ? '' : `; to be removed on ${sunset}`}.`;
}

/** The part of a deprecated field: each of its parameters and properties says so in its description. */
export function withDeprecation(part: Part, ends: Dates): Part {
  const sentence = deprecationSentence(ends);
  const told = <T extends { readonly description: string }>(one: T): T & { readonly ends: Dates } => ({
    ...one,
    description: one.description === '' ? sentence : `${one.description} ${sentence}`,
    ends,
  });
  return { ...part, parameters: (part.parameters ?? []).map(told), properties: (part.properties ?? []).map(told) };
}
