// Every code of the catalogue has a case, and every case gives its marked diagnostics and no others.
import { catalogue } from '../../generator/diagnostics/catalogue.js';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import { print } from '../../generator/diagnostics/print.js';
import { type Case, type Mark, readCases } from './case-file.js';
import { diagnose } from './project-files.js';

const cases = readCases();

describe('cases', () => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', (name, { files, marks }) => {
    // Only the cases about hand-written code consist of whole resources.
    const diagnostics = diagnose(files, /^(E07|W0607)/.test(name) ? 'shared' : null);
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const actual = diagnostics.map((diagnostic) => spot(diagnostic, texts));
    const expected = marks.map((mark) => spot(mark, texts));
    if (JSON.stringify(actual.sort()) !== JSON.stringify(expected.sort())) {
      throw new Error(
        `expected\n${expected.join('\n')}\nreported\n${actual.join('\n')}\n\n${print(diagnostics, texts)}`,
      );
    }
    for (const mark of marks) {
      const same = diagnostics.find(
        ({ code, start, path }) => code === mark.code && start === mark.start && path === mark.path,
      );
      expect(same?.message.slice(0, mark.message.length)).toBe(mark.message.trimEnd().padEnd(mark.message.length));
      expect(same?.suggestion).toBe(mark.suggestion);
    }
  });
});

/** Codes without a case of their own, which is named after the code and marks it. */
function codesWithoutCase(codes: readonly string[], among: readonly Case[]): readonly string[] {
  const coveredCodes = new Set(
    among.filter(({ name, marks }) => marks.some(({ code }) => code === name)).map(({ name }) => name),
  );
  return codes.filter((code) => !coveredCodes.has(code));
}

describe('every code of the catalogue has a case of its own', () => {
  test('no code is without one', () => expect(codesWithoutCase(Object.keys(catalogue), cases)).toEqual([]));
  test('a code without one is reported', () => {
    const others = cases.filter(({ name }) => name !== 'E0301');
    // The case of E0302 marks E0301 too, but is not its own.
    expect(others.flatMap(({ marks }) => marks.map(({ code }) => code))).toContain('E0301');
    expect(codesWithoutCase([...Object.keys(catalogue), 'E9999'], others)).toEqual(['E0301', 'E9999']);
  });
});

/** Path, line, columns and code; a diagnostic that spans lines ends with its first line. */
function spot({ path, start, end, code }: Mark | Diagnostic, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(path) ?? '';
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
  const line = text.slice(0, lineStart).split('\n').length;
  const last = Math.max(start + 1, Math.min(end, lineEnd));
  return `${path}:${line}:${start - lineStart + 1}-${last - lineStart} ${code}`;
}
