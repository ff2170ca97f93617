// The command `punchboard explain`: what a code means, where a thing comes from, what a line makes. Writes nothing.

import { join, relative, resolve } from 'node:path';
import type { Result } from '../commands/command.js';
import { kitPath } from '../compile.js';
import { type Code, catalogue } from '../diagnostics/catalogue.js';
import { pageText } from '../diagnostics/page.js';
import { print } from '../diagnostics/print.js';
import { suggest } from '../diagnostics/suggest.js';
import { readSpec, UnreadableSpec } from '../io.js';
import { readIfText } from '../one-file.js';
import { shownPath } from '../shown-path.js';
import { explainDescriptorLine } from './descriptor-line.js';
import { explainGeneratedLine } from './generated-line.js';
import { explainName } from './name.js';
import { explainRoute } from './route.js';
import { type Answer, meant } from './words.js';
import { openWorkshop, type Workshop } from './workshop.js';

export interface ExplainOptions {
  readonly spec: string;
  readonly out: string;
}

/** @param what a code, a route, table.column, or file:line. Code 1: there is no such thing; 2: there is no spec to read. */
export function explain(what: string, options: ExplainOptions): Result {
  if (/^[ew]\d+$/i.test(what)) return explainCode(what.toUpperCase());
  try {
    const source = readSpec(options.spec);
    const shop = openWorkshop(source, kitPath(options.out), shownPath(options.spec));
    if ('diagnostics' in shop) {
      const texts = new Map(source.files.map(({ path, text }) => [path, text]));
      return { code: 1, stdout: '', stderr: print(shop.diagnostics, texts) };
    }
    const answer = answerOf(shop, what.trim(), options);
    if ('found' in answer) return { code: 0, stdout: answer.found, stderr: '' };
    return { code: 1, stdout: '', stderr: `${answer.unknown}\n` };
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}

function explainCode(code: string): Result {
  if (Object.hasOwn(catalogue, code)) return { code: 0, stdout: pageText(code as Code), stderr: '' };
  const codes = Object.keys(catalogue);
  const near =
    suggest(
      code,
      codes.filter((one) => one.startsWith(code.slice(0, 3))),
    ) ?? suggest(code, codes);
  return { code: 1, stdout: '', stderr: `There is no code ${code}${near === null ? '' : `; did you mean ${near}?`}\n` };
}

function answerOf(shop: Workshop, what: string, options: ExplainOptions): Answer {
  const out = options.out.replaceAll('\\', '/').replace(/\/+$/, '');
  const route = /^([A-Za-z]+)\s+(\/\S*)$/.exec(what);
  if (route !== null) return explainRoute(shop, { method: route[1]?.toUpperCase() ?? '', path: route[2] ?? '', out });
  const at = /^(.+?):(\d+)(?::\d+)?$/.exec(what);
  if (at !== null) return explainLine(shop, { file: at[1] ?? '', line: Number(at[2]), out }, options);
  if (/^[A-Za-z]\w*(\.\w+)?$/.test(what)) return explainName(shop, what);
  return { unknown: `"${what}" is no code, route, table.column or file:line${routeHint(what)}` };
}

function routeHint(what: string): string {
  return what.startsWith('/') ? meant(`GET ${what}`) : '';
}

function explainLine(
  shop: Workshop,
  { file, line, out }: { file: string; line: number; out: string },
  options: ExplainOptions,
): Answer {
  const made = below(options.out, file);
  if (made !== null) {
    const answer = explainGeneratedLine(shop, { path: made, line, out });
    return isStale(shop, made, options.out)
      ? { unknown: `${out}/${made} is not what the descriptors make: run \`punchboard gen\` first` }
      : answer;
  }
  const described = below(options.spec, file);
  if (described === null) return { unknown: `${file} is neither below ${options.spec} nor below ${options.out}` };
  const [folder = ''] = [...shop.texts.keys()].map((path) => path.split('/')[0]);
  return explainDescriptorLine(shop, { path: `${folder}/${described}`, line, out });
}

/** The path below a folder, with `/`; null where it is elsewhere. */
function below(folder: string, file: string): string | null {
  const path = relative(resolve(folder), resolve(file)).replaceAll('\\', '/');
  return path === '' || path.startsWith('..') || /^[A-Za-z]:/.test(path) ? null : path;
}

/** False too for a file that gen does not make, of which more is to say. */
function isStale({ outputs }: Workshop, path: string, out: string): boolean {
  const output = outputs.find((one) => one.path === path);
  return output !== undefined && readIfText(join(out, path))?.replaceAll('\r\n', '\n') !== output.text;
}
