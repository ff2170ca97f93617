// Finds the statements that source files compose, so that a test can tell which of them it has never seen.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../support/paths.js';

export interface ComposedSql {
  readonly file: string;
  /** What is written there, with a mark in place of each value. */
  readonly text: string;
  /** Whether a statement, as `normalized` returns it, can come of it. */
  fits(statement: string): boolean;
}

const VERB = /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
const MARK = '\u0000';

/** The statements of the files of a folder, and of those below it. @param except names of folders */
export function composedIn(folder: string, except: readonly string[] = []): readonly ComposedSql[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return except.includes(entry.name) ? [] : composedIn(path, except);
    const texts = literalsIn(readFileSync(join(ROOT, path), 'utf8')).filter(
      (text) => VERB.test(text) && !isAboutNoTable(text),
    );
    return texts.map((text) => ({
      file: relative('.', path),
      text: text.replaceAll(MARK, '…'),
      fits: fitting(text),
    }));
  });
}

/** Such as one about the server's own state. */
function isAboutNoTable(text: string): boolean {
  return /^\s*SELECT\s/.test(text) && !text.includes('FROM') && !text.includes(MARK);
}

/** One line, and every parameter the same. */
export function normalized(sql: string): string {
  return sql
    .replace(/[@$]\w+/g, '?')
    .replace(/\s+/g, ' ')
    .trim();
}

/** All parts between the marks, one after another: a regular expression takes half a minute for what this says of all of them. */
function fitting(text: string): ComposedSql['fits'] {
  const parts = normalized(text).split(MARK);
  return (statement) => {
    let at = 0;
    return parts.every((part) => {
      const start = statement.indexOf(part, at);
      at = start + part.length;
      return start >= 0;
    });
  };
}

/** The texts of all literals, those within a `${}` too; each of these is a mark in the one around it. */
function literalsIn(source: string): readonly string[] {
  const found: string[] = [];
  const TOKEN = /\/\/.*|\/\*[\s\S]*?\*\/|'((?:[^'\\\n]|\\.)*)'|(`)|([{}])/g;
  /** Reads code to the `}` that ends it. @returns where it goes on */
  const readCode = (from: number): number => {
    TOKEN.lastIndex = from;
    for (let depth = 0; ; ) {
      const match = TOKEN.exec(source);
      if (match === null) return source.length;
      const [, plain, template, brace] = match;
      if (plain !== undefined) found.push(plain);
      if (template !== undefined) TOKEN.lastIndex = readTemplate(TOKEN.lastIndex);
      if (brace === '{') depth += 1;
      if (brace === '}' && --depth < 0) return TOKEN.lastIndex;
    }
  };
  const readTemplate = (from: number): number => {
    let text = '';
    for (let at = from; at < source.length; ) {
      if (source[at] === '`') {
        found.push(text);
        return at + 1;
      }
      if (source.startsWith('${', at)) {
        text += MARK;
        at = readCode(at + 2);
      } else {
        text += source[at];
        at += 1;
      }
    }
    return source.length;
  };
  readCode(0);
  return found;
}
