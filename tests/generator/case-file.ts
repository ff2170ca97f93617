// Reads the cases in generator/diagnostics/cases: small projects, with marks below the lines they point at.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SourceFile } from '../../generator/load/load.js';

export interface Mark {
  readonly code: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** The start of the message. */
  readonly message: string;
  readonly suggestion: string | null;
}

export interface Case {
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly marks: readonly Mark[];
}

const FOLDER = path.join(__dirname, '../../../generator/diagnostics/cases');

/** The files that every case has unless it brings its own: the service, the principal, the store of uploads. */
const BASE: readonly SourceFile[] = [
  {
    path: 'spec/conventions.yaml',
    text: 'title: Test\nversion: 1.0.0\nsummary: Test.\nimage_types: [image/png]\n',
  },
  {
    path: 'spec/resources/user.yaml',
    text: 'resource: user\ntitle: User\nsummary: Somebody.\nplural: users\nprincipal: true\nfields:\n  username: { kind: text, required: true }\n',
  },
  {
    path: 'spec/resources/file.yaml',
    text: 'resource: file\ntitle: File\nsummary: A file.\nplural: files\nupload: { part: file, max_bytes: 1000 }\n',
  },
];

export function readCases(): Case[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));
  return names
    .sort()
    .map((name) => parseCase(name.replace(/\.txt$/, ''), readFileSync(path.join(FOLDER, name), 'utf8')));
}

/** `--- piece` opens a descriptor with its four first keys, `--- spec/...` any file; `absent <path>` removes a base file. */
export function parseCase(name: string, source: string): Case {
  const parts = source.split(/^(?=--- [a-z])/m);
  const sections = parts.filter((part) => part.startsWith('--- '));
  const head = parts.find((part) => !part.startsWith('--- ')) ?? '';
  const absent = [...head.matchAll(/^absent (.*)$/gm)].map((match) => match[1]);
  const missing = [...head.matchAll(/^missing (\S+) (.*)$/gm)].map((match) =>
    mark(match[1], match[2], 'spec/conventions.yaml', 0, 0),
  );
  const parsed = sections.map(parseSection);
  const ownPaths = new Set(parsed.map(({ file }) => file.path));
  const base = BASE.filter((file) => !ownPaths.has(file.path) && !absent.includes(file.path));
  return {
    name,
    files: [...base, ...parsed.map(({ file }) => file)],
    marks: [...missing, ...parsed.flatMap(({ marks }) => marks)],
  };
}

function parseSection(section: string): { file: SourceFile; marks: Mark[] } {
  const [first = '', ...lines] = section.split('\n');
  const title = first.slice(4).trim();
  const short = !title.includes('/');
  const filePath = short ? `spec/resources/${title}.yaml` : title;
  let text = short ? `resource: ${title}\ntitle: Test\nsummary: Test.\nplural: ${title}s\n` : '';
  let lineStart = 0;
  const marks: Mark[] = [];
  for (const line of lines.slice(0, -1)) {
    const match = /^( *)(\^+) ([EW]\d{4}) ?(.*)$/.exec(line);
    if (match === null) {
      lineStart = text.length;
      text += `${line}\n`;
    } else {
      const start = lineStart + (match[1] ?? '').length;
      marks.push(mark(match[3], match[4], filePath, start, start + (match[2] ?? '').length));
    }
  }
  return { file: { path: filePath, text }, marks };
}

type SectionText = string | undefined;

function mark(code: SectionText, rest: SectionText, filePath: string, start: number, end: number): Mark {
  // The message of a cycle contains arrows itself.
  const parts = /^(E0506|E0508|E0519)$/.test(code ?? '') ? [rest] : (rest ?? '').split(' -> ');
  return { code: code ?? '', path: filePath, start, end, message: parts[0] ?? '', suggestion: parts[1] ?? null };
}
