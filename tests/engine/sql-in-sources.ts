// Finds the statements that source files compose, so that a test can detect statements it has never seen.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../support/paths.js';

export interface ComposedSql {
  readonly file: string;
  /** The source text, with a mark in place of each value. */
  readonly text: string;
  /** Whether the source can produce a statement, as `normalized` returns it. */
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

/** Such as a statement about the server's own state. */
function isAboutNoTable(text: string): boolean {
  return /^\s*SELECT\s/.test(text) && !text.includes('FROM') && !text.includes(MARK);
}

/** On one line, with the same mark for every parameter. */
export function normalized(sql: string): string {
  return sql
    .replace(/[@$]\w+/g, '?')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether the parts between the marks occur in order: regular expressions would take half a minute for all of them. */
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

/** The texts of all literals, including those within a `${}`, each of which is a mark in the enclosing literal. */
function literalsIn(source: string): readonly string[] {
  const texts: string[] = [];
  const TOKEN = /\/\/.*|\/\*[\s\S]*?\*\/|'((?:[^'\\\n]|\\.)*)'|(`)|([{}])/g;
  /** Reads code up to the `}` that ends it. @returns where the literal continues */
  const readCode = (from: number): number => {
    TOKEN.lastIndex = from;
    for (let depth = 0; ; ) {
      const match = TOKEN.exec(source);
      if (match === null) return source.length;
      const [, plain, template, brace] = match;
      if (plain !== undefined) texts.push(plain);
      if (template !== undefined) TOKEN.lastIndex = readTemplate(TOKEN.lastIndex);
      if (brace === '{') depth += 1;
      if (brace === '}' && --depth < 0) return TOKEN.lastIndex;
    }
  };
  const readTemplate = (from: number): number => {
    let text = '';
    for (let at = from; at < source.length; ) {
      if (source[at] === '`') {
        texts.push(text);
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
  return texts;
}
