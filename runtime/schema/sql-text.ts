// Identifiers and literals as SQL text, the same on every engine.

/** An SQL identifier; field names may be SQL keywords. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Identifiers with commas between them. */
export function quotedList(identifiers: readonly string[]): string {
  return identifiers.map(quoted).join(', ');
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

/** SQL that replaces a former name with the new one, and the condition that the column holds a former name. */
export function renamedValue(
  column: string,
  renamed: readonly { readonly from: string; readonly to: string | null }[],
): { readonly value: string; readonly isFormer: string } {
  const cases = renamed.map(({ from, to }) => `WHEN ${literal(from)} THEN ${literal(to)}`).join(' ');
  const former = renamed.map(({ from }) => literal(from)).join(', ');
  return { value: `CASE ${column} ${cases} ELSE ${column} END`, isFormer: `${column} IN (${former})` };
}
