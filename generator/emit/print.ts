// Prints data as JSON or TypeScript that is easy to read in a diff: what fits on a line of 120 characters is on one line.

import { literal, property } from './typescript.js';

const WIDTH = 120;

/** A part of a value that was printed beforehand, for its place in the value. */
export class Printed {
  constructor(readonly text: string) {}
}

/** How a language writes data. */
interface Notation {
  literal(value: unknown): string;
  key(name: string): string;
  /** After the last of several lines. */
  readonly end: ',' | '';
}

const JSON_TEXT: Notation = { literal: JSON.stringify, key: (name) => JSON.stringify(name), end: '' };
const TYPESCRIPT: Notation = { literal, key: property, end: ',' };

/** @returns the value as JSON text, ending with a line break; keys with an undefined value are left out */
export function printJson(value: unknown): string {
  return `${printed(value, 0, 0)}\n`;
}

/**
 * @param indent indentation of the line on which the value starts
 * @param before how many characters of that line are already taken, besides the indentation
 */
export function printed(value: unknown, indent: number, before: number): string {
  return new Printer(JSON_TEXT).printed(value, indent, before);
}

/** The same in TypeScript. */
export function printedCode(value: unknown, indent: number, before: number): string {
  return new Printer(TYPESCRIPT).printed(value, indent, before);
}

/** Any JSON value as TypeScript on one line. */
export function inline(value: unknown): string {
  return new Printer(TYPESCRIPT).onOneLine(value);
}

type Members = Readonly<Record<string, unknown>>;

class Printer {
  /** Joining the pieces once takes half the time of a text that grows with each piece. */
  private readonly pieces: string[] = [];

  constructor(private readonly notation: Notation) {}

  printed(value: unknown, indent: number, before: number): string {
    this.print(value, indent, before);
    return this.pieces.join('');
  }

  private print(value: unknown, indent: number, before: number): void {
    if (typeof value !== 'object' || value === null || value instanceof Printed) {
      this.pieces.push(this.onOneLine(value));
      return;
    }
    // Leaves one character for the comma that may follow.
    const room = WIDTH - indent - before - 1;
    const line = restOfLine(value, room) < 0 ? null : this.onOneLine(value);
    if (line !== null && line.length <= room) this.pieces.push(line);
    else this.printMembers(value as Members, indent);
  }

  private printMembers(value: Members, indent: number): void {
    const isList = Array.isArray(value);
    const lineBreak = `\n${' '.repeat(indent)}`;
    let between = `${lineBreak}  `;
    this.pieces.push(isList ? '[' : '{');
    for (const key in value) {
      const member = value[key];
      if (member === undefined && !isList) continue;
      const name = isList ? '' : this.key(key, member);
      this.pieces.push(between, name);
      this.print(member ?? null, indent + 2, name.length);
      between = `,${lineBreak}  `;
    }
    this.pieces.push(this.notation.end, lineBreak, isList ? ']' : '}');
  }

  onOneLine(value: unknown): string {
    if (typeof value !== 'object' || value === null) return this.notation.literal(value);
    if (value instanceof Printed) return value.text;
    const isList = Array.isArray(value);
    let members = '';
    for (const key in value) {
      const member = (value as Members)[key];
      if (member === undefined && !isList) continue;
      const name = isList ? '' : this.key(key, member);
      members += `${members === '' ? '' : ', '}${name}${this.onOneLine(member ?? null)}`;
    }
    if (isList) return `[${members}]`;
    return members === '' ? '{}' : `{ ${members} }`;
  }

  /** The text before a value; empty if the value's name is also its code. */
  private key(name: string, value: unknown): string {
    return value instanceof Printed && value.text === name ? '' : `${this.notation.key(name)}: `;
  }
}

/**
 * The most that a value can leave of a line (escapes may take more); negative if the value is too long. Most objects are far
 * too long, which this shows without making their text.
 */
function restOfLine(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 1;
  if (value instanceof Printed) return value.text.includes('\n') ? -1 : room - value.text.length;
  const isList = Array.isArray(value);
  let rest = room - 2;
  for (const key in value) {
    const member = (value as Members)[key];
    if (member === undefined && !isList) continue;
    rest = restOfLine(member, isList ? rest : rest - key.length - 2);
    if (rest < 0) return rest;
  }
  return rest;
}
