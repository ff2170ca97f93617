// Text to documents: YAML with positions. Never reads files, never throws for what an author wrote, knows no key of the language.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLError,
  type Document as YamlDocument,
} from 'yaml';
import type { Code } from '../diagnostics/catalogue.js';
import { collect } from '../diagnostics/collect.js';
import { type Diagnostic, diagnostic, type Place } from '../diagnostics/diagnostic.js';
import { type Document, PositionedDocument, placeOf, unsound } from './document.js';

export type { Document, Pointer } from './document.js';

export interface SourceFile {
  /** Below the project, with `/`: `spec/resources/boxtop.yaml`. */
  readonly path: string;
  readonly text: string;
}

export interface Loaded {
  /** Sorted by path. */
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses every file; reports the errors of all of them together. */
export function load(files: readonly SourceFile[]): Loaded {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parsed = sorted.map(loadFile);
  return {
    documents: parsed.map((one) => one.document),
    diagnostics: collect(...parsed.map((one) => one.diagnostics)),
  };
}

const DEEPEST = 60;
const OPTIONS = { prettyErrors: false, stringKeys: true, resolveKnownTags: false, logLevel: 'error' } as const;

interface LoadedFile {
  readonly document: Document;
  readonly diagnostics: readonly Diagnostic[];
}

function loadFile(file: SourceFile): LoadedFile {
  const refuse = (diagnostics: Diagnostic[]) => ({ document: unsound(file.path), diagnostics });
  const damage = beforeParsing(file);
  if (damage !== null) return refuse([damage]);
  const yaml = parseDocument(file.text, OPTIONS);
  const mistakes = [...yaml.errors, ...yaml.warnings].map((one) => fromLibrary(file, one));
  mistakes.push(...afterParsing(file, yaml));
  if (mistakes.length > 0) return refuse(mistakes);
  const value = yaml.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
  return { document: new PositionedDocument(file.path, value, yaml.contents), diagnostics: [] };
}

/** What would hurt the parser: it runs out of stack on brackets thousands deep. */
function beforeParsing({ path, text }: SourceFile): Diagnostic | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const odd = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]|\p{Surrogate}/u);
  if (odd >= 0) return diagnostic('E0109', { path, start: odd, end: odd + 1 }, {});
  const directive = /^%.*/m.exec(text.slice(0, Math.max(0, text.search(/^---/m))));
  if (directive !== null) {
    const end = directive.index + directive[0].length;
    return diagnostic(
      'E0101',
      { path, start: directive.index, end },
      { problem: 'a directive; plain YAML 1.2 has none' },
    );
  }
  const deep = tooDeep(text);
  return deep === null ? null : diagnostic('E0112', { path, start: deep, end: deep + 1 }, { limit: String(DEEPEST) });
}

/** Offset where brackets, compact dashes or indentation pass the limit; null where they do not. */
function tooDeep(text: string): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '[' || character === '{') depth++;
    else if ((character === ']' || character === '}') && depth > 0) depth--;
    if (depth > DEEPEST) return at;
  }
  const compact = new RegExp(`^ {${DEEPEST * 8}}|^ *(?:[-?:][ \\t]+){${DEEPEST}}`, 'm').exec(text);
  return compact === null ? null : compact.index;
}

const CODES: Readonly<Record<string, Code>> = {
  TAB_AS_INDENT: 'E0103',
  MULTIPLE_DOCS: 'E0104',
  NON_STRING_KEY: 'E0108',
};

function fromLibrary({ path, text }: SourceFile, error: YAMLError): Diagnostic {
  const [start, end] = error.pos;
  // What is missing at the end of a file is told at the last thing that stands there.
  const last = text.trimEnd().length;
  const place: Place = start >= last && last > 0 ? { path, start: last - 1, end: last } : { path, start, end };
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:,{}[\]]+)/.exec(text.slice(start))?.[0] ?? '';
    return diagnostic(
      'E0102',
      { path, start, end: start + Math.max(1, key.length) },
      { key: key.replace(/^["']|["']$/g, '') },
    );
  }
  if (error.code === 'TAG_RESOLVE_FAILED') return diagnostic('E0110', place, { tag: text.slice(start, end) });
  const code = CODES[error.code];
  if (code === 'E0103' || code === 'E0104' || code === 'E0108') return diagnostic(code, place, {});
  return diagnostic('E0101', place, { problem: error.message.split('\n')[0] ?? '' });
}

function afterParsing({ path, text }: SourceFile, yaml: YamlDocument.Parsed): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (yaml.errors.length > 0) return found;
  visit(yaml, {
    Alias(_, alias) {
      found.push(diagnostic('E0107', placeOf(path, alias), {}));
    },
  });
  const contents = yaml.contents as ParsedNode | null;
  const empty = contents === null || (isScalar(contents) && contents.value === null);
  if (empty) return [diagnostic('E0105', { path, start: 0, end: Math.min(text.length, 1) }, {})];
  if (!isMap(contents)) {
    const what = isSeq(contents) ? 'a list' : isAlias(contents) ? 'an alias' : 'a single value';
    found.push(diagnostic('E0106', placeOf(path, contents), { found: what }));
  }
  return found;
}
