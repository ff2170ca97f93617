// Prints JSON that is easy to read in a diff: whatever fits on a line of 120 characters is on one line.

const WIDTH = 120;

/** @returns the value as JSON text, ending with a line break; keys with an undefined value are left out */
export function printJson(value: unknown): string {
  const pieces: string[] = [];
  print(pieces, value, 0, 0);
  pieces.push('\n');
  return pieces.join('');
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
  // Joined once, which takes half the time of a text that grows with each piece.
  const pieces: string[] = [];
  print(pieces, value, indent, before);
  return pieces.join('');
}

function print(pieces: string[], value: unknown, indent: number, before: number): void {
  if (typeof value !== 'object' || value === null || value instanceof Printed) {
    pieces.push(onOneLine(value));
    return;
  }
  // One more character for the comma that may follow.
  const room = WIDTH - indent - before - 1;
  const line = restOfLine(value, room) < 0 ? null : onOneLine(value);
  if (line !== null && line.length <= room) pieces.push(line);
  else printMembers(pieces, value as Members, indent);
}

type Members = Readonly<Record<string, unknown>>;

function printMembers(pieces: string[], value: Members, indent: number): void {
  const isList = Array.isArray(value);
  const lineBreak = `\n${' '.repeat(indent)}`;
  let between = `${lineBreak}  `;
  pieces.push(isList ? '[' : '{');
  for (const key in value) {
    const one = value[key];
    if (one === undefined && !isList) continue;
    const name = isList ? '' : `${JSON.stringify(key)}: `;
    pieces.push(between, name);
    print(pieces, one ?? null, indent + 2, name.length);
    between = `,${lineBreak}  `;
  }
  pieces.push(lineBreak, isList ? ']' : '}');
}

/**
 * How much of a line a value leaves at most, since escapes take more than is counted here; less than 0: it is too long.
 * Most objects are far too long, and this shows it without making their text.
 */
function restOfLine(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 1;
  if (value instanceof Printed) return value.text.includes('\n') ? -1 : room - value.text.length;
  const isList = Array.isArray(value);
  let rest = room - 2;
  for (const key in value) {
    const one = (value as Members)[key];
    if (one === undefined && !isList) continue;
    rest = restOfLine(one, isList ? rest : rest - key.length - 4);
    if (rest < 0) return rest;
  }
  return rest;
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Printed) return value.text;
  const isList = Array.isArray(value);
  let members = '';
  for (const key in value) {
    const one = (value as Members)[key];
    if (one === undefined && !isList) continue;
    members += `${members === '' ? '' : ', '}${isList ? '' : `${JSON.stringify(key)}: `}${onOneLine(one ?? null)}`;
  }
  if (isList) return `[${members}]`;
  return members === '' ? '{}' : `{ ${members} }`;
}
