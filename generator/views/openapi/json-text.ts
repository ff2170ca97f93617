// JSON as text that is put together from texts: the same bytes as one JSON.stringify of the whole. Knows no OpenAPI.

/** A key and the text of its value. */
export type Entry = readonly [key: string, text: string];

/** A value as it is written `depth` keys deep. */
export function jsonText(value: unknown, depth: number): string {
  // No text of JSON holds a line break of its own.
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent(depth)}`);
}

/** An object whose keys stand `depth` deep. */
export function objectText(entries: readonly Entry[], depth: number): string {
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, text]) => `${indent(depth)}${JSON.stringify(key)}: ${text}`);
  return `{\n${lines.join(',\n')}\n${indent(depth - 1)}}`;
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}
