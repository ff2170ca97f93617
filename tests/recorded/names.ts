// Names for values that differ from run to run: an id or a secret is named after the response in which it first appears.

import type { RawAnswer, RecordedAnswer, Value } from './exchange.js';

/** Names, with the values that they have in this run. */
export interface Names {
  /** @returns the text with names in place of ids and secrets; new ones are named `<answer.number>` */
  hide(text: string, answer: string): string;
  /** @returns the value with names replaced by their values; an unknown name is left unchanged */
  reveal<T extends Value | undefined>(value: T): T;
  /** Names a value that cannot be recognized by its form. */
  add(name: string, actual: string): void;
}

/** Named values, in the first group; nothing else in a response has these forms. */
const NAMED: readonly RegExp[] = [
  /(?<![\w-])([0-9a-hjkmnp-tv-z]{26})(?![\w-])/g,
  /"(?:private_key|next_cursor)":"([^"]+)"/g,
  /\/files\/[^/"]+\/([\w-]+)/g,
  /"token":"[^".]+\.([\w-]{27})"/g,
  /"id":"([\w-]{27,29})"/g,
];
const DATE = /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z| \d\d:\d\d:\d\d)/g;

export function createNames(): Names {
  const names = new Map<string, string>();
  const actuals = new Map<string, string>();
  const add = (name: string, actual: string): void => {
    names.set(actual, name);
    actuals.set(name, actual);
  };
  const hide = (text: string, answer: string): string => {
    let number = 0;
    for (const [, actual = ''] of NAMED.flatMap((form) => [...text.matchAll(form)])) {
      if (!names.has(actual)) add(`<${answer}.${++number}>`, actual);
    }
    let hidden = text.replace(DATE, '<date>');
    // Most headers are shorter than any id.
    for (const [actual, name] of names) if (actual.length <= hidden.length) hidden = hidden.replaceAll(actual, name);
    return hidden;
  };
  const reveal = (value: Value): Value => {
    if (typeof value === 'string') return value.replace(/<[a-z0-9.]+>/g, (name) => actuals.get(name) ?? name);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(reveal);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, reveal(one)]));
  };
  return {
    hide,
    reveal: <T extends Value | undefined>(value: T) => (value === undefined ? value : reveal(value)) as T,
    add,
  };
}

/** The response as recorded: with names, and without the texts for people. */
export function recordable({ status, headers, text }: RawAnswer, names: Names, answer: string): RecordedAnswer {
  const body = names.hide(text, answer);
  const json = headers.get('content-type')?.includes('json') === true;
  const recordedHeaders = [...headers].filter(([name, value]) => !LEFT_OUT.includes(name) && FIXED[name] !== value);
  const missing = Object.keys(FIXED).filter((name) => !headers.has(name));
  return {
    status,
    headers: Object.fromEntries([
      ...recordedHeaders.map(([name, value]) => [name, names.hide(value, `${answer}h`)]),
      ...missing.map((name) => [name, null]),
    ]),
    body: json ? JSON.parse(body, withoutTexts) : body,
  };
}

/** Headers of every response, recorded only where they differ or are missing. */
const FIXED: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** Headers that depend on the connection, the clock, chance, or the length of a compared body, or that all files have. */
const LEFT_OUT = [
  ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'x-request-id'],
  ...['cross-origin-resource-policy', 'referrer-policy'],
];

/** Texts may be reworded, but not be missing. */
function withoutTexts(key: string, value: unknown): unknown {
  if (key === 'request_id') return '<request>';
  return typeof value === 'string' && ['title', 'detail', 'message'].includes(key) ? '<text>' : value;
}
