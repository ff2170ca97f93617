// Prints JSON that is easy to read in a diff: whatever fits on a line of 120 characters is on one line.

const WIDTH = 120;

/** @returns the value as JSON text, ending with a line break; keys with an undefined value are left out */
export function printJson(value: unknown): string {
  return `${printed(value, 0, 0)}\n`;
}

/** A part of a value that was printed before the rest of it, for the place that it has there. */
export class Printed {
  constructor(readonly text: string) {}
}

/**
 * @param indent indentation of the line on which the value starts
 * @param before how many characters of that line are already taken, besides the indentation
 */
export function printed(value: unknown, indent: number, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Printed) return value.text;
  // One more character for the comma that may follow.
  const line = onOneLine(value, WIDTH - indent - before - 1);
  if (line !== null) return line;
  const isList = Array.isArray(value);
  const lineBreak = `\n${' '.repeat(indent)}`;
  // One text that grows, without a list of its lines: the API document of a thousand types has a million of them.
  let text = '';
  for (const [key, one] of Object.entries(value)) {
    if (one === undefined && !isList) continue;
    const name = isList ? '' : `${JSON.stringify(key)}: `;
    text += `${text === '' ? '' : ','}${lineBreak}  ${name}${printed(one ?? null, indent + 2, name.length)}`;
  }
  return `${isList ? '[' : '{'}${text}${lineBreak}${isList ? ']' : '}'}`;
}

/** Null where it is longer than `room`, which ends the attempt early: most objects are far too long. */
function onOneLine(value: unknown, room: number): string | null {
  const line = typeof value !== 'object' || value === null ? JSON.stringify(value) : membersOnOneLine(value, room);
  return line === null || line.length > room ? null : line;
}

function membersOnOneLine(value: object, room: number): string | null {
  if (value instanceof Printed) return value.text.includes('\n') ? null : value.text;
  const isList = Array.isArray(value);
  let line = isList ? '[' : '{ ';
  const empty = line;
  // One by one: most lists and objects are far too long, and then only the first few members are looked at.
  for (const key of Object.keys(value)) {
    const one = (value as Readonly<Record<string, unknown>>)[key];
    if (one === undefined && !isList) continue;
    line += `${line === empty ? '' : ', '}${isList ? '' : `${JSON.stringify(key)}: `}`;
    const member = onOneLine(one ?? null, room - line.length);
    if (member === null) return null;
    line += member;
  }
  if (line === empty) return isList ? '[]' : '{}';
  return line + (isList ? ']' : ' }');
}
