// The command `punchboard explain`: what a code means, and which key a route, column, parameter or property comes from.

import { type Code, catalogue } from '../../diagnostics/catalogue.js';
import { pageText } from '../../diagnostics/page.js';
import { print } from '../../diagnostics/print.js';
import { shownPath } from '../../diagnostics/shown-path.js';
import { suggest } from '../../diagnostics/suggest.js';
import { kitPath } from '../../write/compile.js';
import { readSpec, UnreadableSpec } from '../../write/read-spec.js';
import type { Result } from '../command.js';
import { explainName } from './name.js';
import { explainRoute } from './route.js';
import { openWorkshop, type Workshop } from './spec-context.js';
import { type Answer, meant } from './words.js';

export interface ExplainOptions {
  readonly spec: string;
  readonly out: string;
}

/** @param what a code, a route, or table.column. Code 1: it does not exist; 2: there is no spec to read. */
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
  if (/^[A-Za-z]\w*(\.\w+)?$/.test(what)) return explainName(shop, what);
  return { unknown: `"${what}" is not a code, a route or table.column${routeHint(what)}` };
}

function routeHint(what: string): string {
  return what.startsWith('/') ? meant(`GET ${what}`) : '';
}
