// Deprecation (D38): its dates, the sentence that states them, and their use in a field's parameters and properties.

import type { Dates } from '../../runtime/contract/definition.js';
import type { RawField } from '../language/language.js';
import type { FieldParts } from './kinds/kind.js';

/** The dates of a deprecated resource or field; null if it is not deprecated. */
export function datesOf({ deprecated, sunset }: Dates): Dates | null {
  if (deprecated === undefined && sunset === undefined) return null;
  return { ...(deprecated === undefined ? {} : { deprecated }), ...(sunset === undefined ? {} : { sunset }) };
}

/** `Deprecated as of 2030-01-31; to be removed on 2031-01-31.`, or whichever half is known. */
export function deprecationSentence({ deprecated, sunset }: Dates): string {
  if (deprecated === undefined) return `To be removed on ${sunset}.`;
  return `Deprecated as of ${deprecated}${sunset === undefined ? '' : `; to be removed on ${sunset}`}.`;
}

/** `` `Old` is deprecated as of 2030-01-31. `` for each deprecated value. */
function valueSentences({ attributes = {} }: RawField): readonly string[] {
  return Object.entries(attributes).flatMap(([value, keys]) => {
    const dates = datesOf(keys);
    return dates === null ? [] : [`\`${value}\` is ${lowerFirst(deprecationSentence(dates))}`];
  });
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** The expansion of a field, with its dates of deprecation in the description of each parameter and property. */
export function withDeprecation(part: FieldParts, field: RawField): FieldParts {
  const deprecation = datesOf(field);
  const sentences = [...(deprecation === null ? [] : [deprecationSentence(deprecation)]), ...valueSentences(field)];
  if (sentences.length === 0) return part;
  const marked = <T extends { readonly description: string }>(one: T): T & { readonly deprecation?: Dates } => ({
    ...one,
    description: [...(one.description === '' ? [] : [one.description]), ...sentences].join(' '),
    ...(deprecation === null ? {} : { deprecation }),
  });
  return { ...part, parameters: (part.parameters ?? []).map(marked), properties: (part.properties ?? []).map(marked) };
}
