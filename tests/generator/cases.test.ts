// Every code of the catalogue has a case, and every case gives its marked diagnostics and no others.
import { check } from '../../generator/check/check.js';
import { catalogue } from '../../generator/diagnostics/catalogue.js';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import { print } from '../../generator/diagnostics/print.js';
import { load, type SourceFile } from '../../generator/load.js';
import { type Mark, readCases } from './case-file.js';

const cases = readCases();

describe('cases', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (_, { files, marks }) => {
    const found = diagnose(files);
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const points = found.map((one) => spot(one, texts));
    const wanted = marks.map((one) => spot(one, texts));
    if (JSON.stringify(points.sort()) !== JSON.stringify(wanted.sort())) {
      throw new Error(`wanted\n${wanted.join('\n')}\nfound\n${points.join('\n')}\n\n${print(found, texts)}`);
    }
    for (const one of marks) {
      const same = found.find(({ code, start, path }) => code === one.code && start === one.start && path === one.path);
      expect(same?.message.slice(0, one.message.length)).toBe(one.message.trimEnd().padEnd(one.message.length));
      expect(same?.suggestion).toBe(one.suggestion);
    }
  });
});

test('every code of the catalogue has a case', () => {
  const covered = new Set(cases.flatMap(({ marks }) => marks.map(({ code }) => code)));
  expect(Object.keys(catalogue).filter((code) => !covered.has(code))).toEqual([]);
});

function diagnose(files: readonly SourceFile[]): Diagnostic[] {
  const loaded = load(files);
  return [...loaded.diagnostics, ...check(loaded.documents).diagnostics];
}

/** Path, line, columns and code; a diagnostic that goes on over the line ends with the line. */
function spot({ path, start, end, code }: Mark | Diagnostic, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(path) ?? '';
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
  const line = text.slice(0, lineStart).split('\n').length;
  const last = Math.max(start + 1, Math.min(end, lineEnd));
  return `${path}:${line}:${start - lineStart + 1}-${last - lineStart} ${code}`;
}
