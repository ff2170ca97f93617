// Identifiers and literals as SQL text, alike on every engine.

/** An SQL identifier; field names may be SQL keywords. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** An SQL literal. */
export function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? plain(value) : `'${value.replaceAll("'", "''")}'`;
}

/** A number without an exponent. */
export function plain(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '');
}
