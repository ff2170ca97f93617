// Composes boolean SQL from parts; parts with a known value are folded.

/** True if any part is true; '0' and '1' are folded. */
export function anyOf(parts: readonly string[]): string {
  if (parts.includes('1')) return '1';
  const open = [...new Set(parts.filter((part) => part !== '0'))];
  if (open.length === 0) return '0';
  return open.length === 1 ? (open[0] ?? '0') : `(${open.join(' OR ')})`;
}

/** True if all parts are true; '0' and '1' are folded. */
export function allOf(parts: readonly string[]): string {
  if (parts.includes('0')) return '0';
  const open = parts.filter((part) => part !== '1');
  return open.length === 0 ? '1' : open.join(' AND ');
}

/** True if a row of `from` meets all conditions; '0' if one can never be met. */
export function existsOne(from: string, conditions: readonly string[]): string {
  const where = allOf(conditions);
  return where === '0' ? '0' : `EXISTS (SELECT 1 FROM ${from} WHERE ${where})`;
}
