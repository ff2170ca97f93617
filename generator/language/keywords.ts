// Pieces of JSON Schema from which the keys of the language are composed.

/** Draft-07 keywords, as editors read them. A `title` describes the accepted form or choices in words. */
export type Keywords = Readonly<Record<string, unknown>>;

/** An object that accepts only these keys. */
export function closed(properties: Keywords, required: readonly string[] = []): Keywords {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

/** One of two schemas, chosen by the type of the value, which gives clearer errors than `anyOf`. */
export function byType(type: 'array' | 'object' | 'string', matching: Keywords, other: Keywords): Keywords {
  return conditional({ type }, matching, other);
}

/** A condition on the value itself. */
export function conditional(condition: Keywords, matching: Keywords, other: Keywords = {}): Keywords {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: matching, else: other };
}

/**
 * A list of texts, or a map from each text to its attributes.
 * @param short the attribute that a text is short for
 */
export function listOrMap(list: Keywords, attributes: Readonly<Record<string, Keywords>>, short?: string): Keywords {
  const map = { ...closed(attributes), type: ['object', 'null'], title: 'a map of attributes' };
  const each = short === undefined ? map : byType('string', attributes[short] ?? TEXT, map);
  return byType('object', { type: 'object', minProperties: 1, additionalProperties: each }, list);
}

/** A text, or null instead. */
export function textOrNull(text: Keywords): Keywords {
  return { ...text, type: ['string', 'null'], title: `${text.title} or null` };
}

export const NAME: Keywords = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_]*$',
  maxLength: 60,
  title: 'a name (lower case letters, digits, "_")',
};

/** The form of a name, in words. */
export const NAME_FORM = 'lower-case letters, digits and "_", starting with a letter';

/** A name of a field, or with `{n}`, of several fields. */
export const FIELD_NAME: Keywords = {
  ...NAME,
  pattern: '^[a-z][a-z0-9_]*([{]n[}][a-z0-9_]*)?$',
};

/** A name of events, which names components of the API document. */
export const EVENT_NAME = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9._-]*$',
  maxLength: 60,
  title: 'letters, digits, ".", "_" and "-", starting with a letter',
} as const satisfies Keywords;

/** A term of an order. */
export const ORDER_TERM: Keywords = {
  type: 'string',
  pattern: '^-?[a-z][a-z0-9_]*$',
  maxLength: 61,
  title: 'a name, or "-" and a name',
};

export const DATE: Keywords = {
  type: 'string',
  format: 'date',
  title: 'a date such as 2030-01-31',
};

export const DEPRECATED = {
  ...DATE,
  description: 'Date from which it is deprecated; announced in the API document and by the header `Deprecation` (D38).',
};

export const SUNSET = {
  ...DATE,
  description: 'Date on which it is removed; announced in the API document and by the header `Sunset` (D38).',
};

export const TEXT: Keywords = { type: 'string', minLength: 1 };
export const FLAG: Keywords = { type: 'boolean' };
