// Every code of the catalogue has a case, and every case gives its marked diagnostics and no others.
import { catalogue } from '../../generator/diagnostics/catalogue.js';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import { print } from '../../generator/diagnostics/print.js';
import { type Case, type Mark, readCases } from './case-file.js';
import { diagnose } from './project-files.js';

const cases = readCases();

describe('cases', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (name, { files, marks }) => {
    // Only what is about hand-written code is made of whole resources.
    const found = diagnose(files, /^(E07|W0607)/.test(name) ? 'shared' : null);
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

/** Codes without a case of their own: one that is named after them and marks them. */
function lacking(codes: readonly string[], among: readonly Case[]): readonly string[] {
  const own = new Set(
    among.filter(({ name, marks }) => marks.some(({ code }) => code === name)).map(({ name }) => name),
  );
  return codes.filter((code) => !own.has(code));
}

describe('every code of the catalogue has a case of its own', () => {
  test('none lacks one', () => expect(lacking(Object.keys(catalogue), cases)).toEqual([]));
  test('one that lacks it is found', () => {
    const others = cases.filter(({ name }) => name !== 'E0301');
    // The case of E0302 marks E0301 too, but is not its own.
    expect(others.flatMap(({ marks }) => marks.map(({ code }) => code))).toContain('E0301');
    expect(lacking([...Object.keys(catalogue), 'E9999'], others)).toEqual(['E0301', 'E9999']);
  });
});

/** Path, line, columns and code; a diagnostic that goes on over the line ends with the line. */
function spot({ path, start, end, code }: Mark | Diagnostic, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(path) ?? '';
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
  const line = text.slice(0, lineStart).split('\n').length;
  const last = Math.max(start + 1, Math.min(end, lineEnd));
  return `${path}:${line}:${start - lineStart + 1}-${last - lineStart} ${code}`;
}
