// Prints JSON that is easy to read in a diff: whatever fits on a line of 120 characters is on one line.

const WIDTH = 120;

/** @returns the value as JSON text, ending with a line break; keys with an undefined value are left out */
export function printJson(value: unknown): string {
  return `${printed(value, 0, 0)}\n`;
}

/**
 * @param indent indentation of the line on which the value starts
 * @param before how many characters of that line are already taken, besides the indentation
 */
function printed(value: unknown, indent: number, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // One more character for the comma that may follow.
  const room = WIDTH - indent - before - 1;
  // Most objects are far too long, which the length without spaces shows quickly.
  const line = JSON.stringify(value).length <= room ? onOneLine(value) : null;
  if (line !== null && line.length <= room) return line;
  const inner = indent + 2;
  const lines = Array.isArray(value)
    ? value.map((one) => printed(one ?? null, inner, 0))
    : entriesOf(value).map(([key, one]) => `${JSON.stringify(key)}: ${printed(one, inner, key.length + 4)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((one) => ' '.repeat(inner) + one).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => onOneLine(one ?? null)).join(', ')}]`;
  const entries = entriesOf(value);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, one]) => `${JSON.stringify(key)}: ${onOneLine(one)}`).join(', ')} }`;
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, one]) => one !== undefined);
}
