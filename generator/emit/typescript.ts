// Small pieces of TypeScript source as text: literals, unions and names.

/** A value as a single-quoted TypeScript literal; text that holds a single quote and no double quote is double-quoted. */
export function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (PLAIN.test(value)) return `'${value}'`;
  const json = JSON.stringify(value);
  if (value.includes("'") && !value.includes('"')) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Almost every text: without quotes, backslashes, and what JSON escapes. */
const PLAIN = /^[ !#-&(-[\]-~]*$/;

/** The text of a type, or the values of a union of literals, which are not read back from text. */
export type TypeOrValues = string | readonly (string | number)[];

/** `'A' | 'B'`, or the only member. */
export function union(values: readonly (string | number)[]): string {
  return values.map(literal).join(' | ') || 'never';
}

/** `two_sided_box` to `TwoSidedBox`. */
export function pascalCase(name: string): string {
  if (!name.includes('_')) return name.charAt(0).toUpperCase() + name.slice(1);
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A list of literals in brackets. */
export function list(values: readonly unknown[]): string {
  return `[${values.map(literal).join(', ')}]`;
}

/** A flat object of literals on one line; keys are quoted where TypeScript requires it. */
export function object(entries: Readonly<Record<string, unknown>>): string {
  const pairs = Object.keys(entries).map((key) => `${property(key)}: ${inline(entries[key])}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** A text inside a comment: one line, without anything that would end the comment. */
export function comment(text: string): string {
  // A single space stays as it is, and most texts have no other: to replace each takes five times as long.
  return text
    .replaceAll('*/', '*\\/')
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim();
}

/** A property name, quoted unless it is an identifier. */
export function property(name: string): string {
  // As a plain key it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** Any JSON value as TypeScript on one line. */
export function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (value !== null && typeof value === 'object') return object(value as Readonly<Record<string, unknown>>);
  return literal(value);
}
