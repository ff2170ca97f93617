// Parses the text of files into documents with positions. Authors' mistakes are returned, not thrown.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLError,
  type Document as YamlDocument,
} from 'yaml';
import { collect, type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { memoizeByObject } from '../memoize.js';
import { type Document, PositionedDocument, placeOf, unparsedDocument } from './document.js';

export type { Document, Pointer } from './document.js';

export interface SourceFile {
  /** Relative to the project, with `/`: `spec/resources/boxtop.yaml`. */
  readonly path: string;
  readonly text: string;
}

export interface LoadedFiles {
  /** Sorted by path. */
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses every file and reports all errors together. */
export function load(files: readonly SourceFile[]): LoadedFiles {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parsed = sorted.map((file) => loadFile(file));
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

const loadFile = memoizeByObject((file: SourceFile): LoadedFile => {
  const refuse = (diagnostics: Diagnostic[]) => ({ document: unparsedDocument(file.path), diagnostics });
  const damage = beforeParsing(file);
  if (damage !== null) return refuse([damage]);
  const yaml = parseDocument(file.text, OPTIONS);
  const mistakes = fromLibrary(file, [...yaml.errors, ...yaml.warnings]);
  mistakes.push(...afterParsing(file, yaml));
  if (mistakes.length > 0) return refuse(mistakes);
  const value = yaml.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
  return { document: new PositionedDocument(file.path, value, yaml.contents), diagnostics: [] };
});

/** Text that the parser must not see: brackets nested thousands deep exhaust its stack. */
function beforeParsing({ path, text }: SourceFile): Diagnostic | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what it searches for
  const odd = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]|\p{Surrogate}/u);
  if (odd >= 0) return diagnostic('E0109', { path, start: odd, end: odd + 1 }, {});
  const directive = /^%.*/m.exec(text.slice(0, Math.max(0, text.search(/^---/m))));
  if (directive !== null) {
    const end = directive.index + directive[0].length;
    return diagnostic('E0101', { path, start: directive.index, end }, { problem: 'directives are not supported' });
  }
  const deep = tooDeep(text);
  return deep === null ? null : diagnostic('E0112', { path, start: deep, end: deep + 1 }, { limit: String(DEEPEST) });
}

/** The offset where brackets, compact dashes or indentation exceed the limit; null if they do not. */
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

/** Mistakes that leave the rest of the file readable; after any other, the parser misreads what follows. */
const ALONE: ReadonlySet<string> = new Set(['DUPLICATE_KEY', 'TAG_RESOLVE_FAILED', 'NON_STRING_KEY', 'MULTIPLE_DOCS']);

/** Reports only the first syntax error, since others may follow from it. */
function fromLibrary(file: SourceFile, errors: readonly YAMLError[]): Diagnostic[] {
  const alone = errors.filter(({ code }) => ALONE.has(code));
  const syntax = errors.filter(({ code }) => !ALONE.has(code));
  return syntax.length > 0 ? [syntaxError(file, syntax)] : alone.map((one) => ofContent(file, one));
}

function ofContent({ path, text }: SourceFile, { code, pos: [start, end] }: YAMLError): Diagnostic {
  if (code === 'DUPLICATE_KEY') {
    const key = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:,{}[\]]+)/.exec(text.slice(start))?.[0] ?? '';
    const place = { path, start, end: start + Math.max(1, key.length) };
    return diagnostic('E0102', place, { key: key.replace(/^["']|["']$/g, '') });
  }
  const place = insideText({ path, start, end }, text);
  if (code === 'TAG_RESOLVE_FAILED') return diagnostic('E0110', place, { tag: text.slice(start, end) });
  return diagnostic(code === 'MULTIPLE_DOCS' ? 'E0104' : 'E0108', place, {});
}

function syntaxError({ path, text }: SourceFile, errors: readonly YAMLError[]): Diagnostic {
  const tab = errors.find(({ code }) => code === 'TAB_AS_INDENT');
  if (tab !== undefined) return diagnostic('E0103', { path, start: tab.pos[0], end: tab.pos[1] }, {});
  const open = unclosed(text);
  if (open !== null) {
    const { start, opening } = open;
    return diagnostic('E0114', { path, start, end: start + 1 }, { opening, closing: CLOSING[opening] ?? '' });
  }
  const [first] = errors;
  const [start = 0, end = 0] = errors.find(({ code }) => code === 'MULTILINE_IMPLICIT_KEY')?.pos ?? first?.pos ?? [];
  const column = misplacedKey(text, start, end);
  if (column !== null) return diagnostic('E0113', { path, ...column }, {});
  const problem = PROBLEMS[first?.code ?? ''] ?? first?.message.split('\n')[0] ?? '';
  return diagnostic('E0101', insideText({ path, start, end }, text), { problem });
}

/** Our own wording where the parser's is hard to understand. */
const PROBLEMS: Readonly<Record<string, string>> = {
  MULTILINE_IMPLICIT_KEY: 'a key needs a ":" on its line',
  BLOCK_IN_FLOW: 'between "{" and "}", keys are separated by commas',
  BLOCK_AS_IMPLICIT_KEY: 'a value that contains ": " needs quotes',
};

/** An error at the end of a file is placed at the last character before it. */
function insideText(place: YamlPosition, text: string): YamlPosition {
  const last = text.trimEnd().length;
  return place.start >= last && last > 0 ? { path: place.path, start: last - 1, end: last } : place;
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '[': ']', '{': '}' };

/** The first quote or bracket that is never closed. */
function unclosed(text: string): { start: number; opening: string } | null {
  const brackets: { start: number; opening: string }[] = [];
  let start = 0;
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    const [sign = ''] = token;
    // These markers of the lexer have no position: the next token is plain text, or a bracket was closed too early.
    if (token === FLOW_ERROR && brackets.length > 0) break;
    if (!isText && (sign === '[' || sign === '{')) brackets.push({ start, opening: sign });
    if (!isText && (sign === ']' || sign === '}')) brackets.pop();
    if (!isText && (sign === '"' || sign === "'") && (token.length === 1 || !token.endsWith(sign))) {
      return { start, opening: sign };
    }
    isText = token === PLAIN_TEXT;
    if (!MARKS.has(token)) start += token.length;
  }
  return brackets.at(-1) ?? null;
}

const PLAIN_TEXT = '\u001f';
const FLOW_ERROR = '\u0018';
const MARKS: ReadonlySet<string> = new Set([PLAIN_TEXT, FLOW_ERROR, '\u0002']);

/** The first word of the line on which an error ends, if its indentation matches no line of its map. */
function misplacedKey(text: string, start: number, end: number): { start: number; end: number } | null {
  const lineStart = Math.max(0, text.lastIndexOf('\n', end - 1) + 1);
  const [, indent = '', word = ''] = /^( *)([^\s:]+):/.exec(text.slice(lineStart)) ?? [];
  const followsAValue = start < lineStart && /^[^\n]*:[ \t]/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1));
  const isFirst = start >= lineStart && text.slice(lineStart, start).trim() === '';
  if (word === '' || !(followsAValue || isFirst)) return null;
  return { start: lineStart + indent.length, end: lineStart + indent.length + word.length };
}

function afterParsing({ path, text }: SourceFile, yaml: YamlDocument.Parsed): Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (yaml.errors.length > 0) return problems;
  // Every alias begins with an asterisk, which few files contain.
  if (text.includes('*')) {
    visit(yaml, {
      Alias(_, alias) {
        problems.push(diagnostic('E0107', placeOf(path, alias), {}));
      },
    });
  }
  const contents = yaml.contents as ParsedNode | null;
  const empty = contents === null || (isScalar(contents) && contents.value === null);
  if (empty) return [diagnostic('E0105', { path, start: 0, end: Math.min(text.length, 1) }, {})];
  if (!isMap(contents)) {
    const what = isSeq(contents) ? 'a list' : isAlias(contents) ? 'an alias' : 'a single value';
    problems.push(diagnostic('E0106', placeOf(path, contents), { found: what }));
  }
  return problems;
}
