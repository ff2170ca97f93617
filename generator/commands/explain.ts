// `punchboard explain`: says what a code means, and which key a route, column, parameter or property comes from.

import { type Code, catalogue } from '../diagnostics/catalogue.js';
import { shownPath } from '../diagnostics/print.js';
import { pageText } from '../diagnostics/reasons.js';
import { suggest } from '../diagnostics/suggest.js';
import { kitPath } from '../write/compile.js';
import { readCase } from '../write/installed.js';
import { finish, type Register, type Result, withSpec } from './command.js';
import { explainName } from './explain/name.js';
import { explainRoute } from './explain/route.js';
import { didYouMean, type Explanation, openSpecContext, type SpecContext } from './explain/spec-context.js';
import { withOutOption, withSpecOption } from './project.js';

export const registerExplain: Register = (program, io) => {
  withOutOption(
    withSpecOption(
      program
        .command('explain')
        .description('explain a code, or where a route, column, parameter or property comes from')
        .argument('<what...>', "E0203, 'POST /api/name' or name.column"),
      ([query = '', ...more]) => more.length === 0 && CODE.test(query),
    ),
  )
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 there is nothing by that name, or the descriptors have mistakes; 2 wrong usage.',
    )
    .action((query: readonly string[], options: ExplainOptions) => finish(explain(query.join(' '), options), io));
};

/** The code of a diagnostic. */
const CODE = /^[ew]\d+$/i;

export interface ExplainOptions {
  readonly spec: string;
  readonly out: string;
}

/** @param query a code, a route, or table.column. Code 1: it does not exist; 2: there is no spec to read. */
export function explain(query: string, options: ExplainOptions): Result {
  if (CODE.test(query)) return explainCode(query.toUpperCase());
  return withSpec(options.spec, (compiled, source) => {
    const context = openSpecContext(compiled, source, {
      kit: kitPath(options.out),
      pathOf: shownPath(options.spec),
    });
    const answer = answerOf(context, query.trim(), options);
    if ('text' in answer) return { code: 0, stdout: answer.text, stderr: '' };
    return { code: 1, stdout: '', stderr: `${answer.unknown}\n` };
  });
}

function explainCode(code: string): Result {
  if (Object.hasOwn(catalogue, code)) return { code: 0, stdout: withExample(code as Code), stderr: '' };
  const codes = Object.keys(catalogue);
  const near =
    suggest(
      code,
      codes.filter((one) => one.startsWith(code.slice(0, 3))),
    ) ?? suggest(code, codes);
  return { code: 1, stdout: '', stderr: `There is no code ${code}${near === null ? '' : `; did you mean ${near}?`}\n` };
}

function withExample(code: Code): string {
  return `${pageText(code)}\nExample:\n\n${readCase(code).replace(/^(?=.)/gm, '  ')}`;
}

function answerOf(context: SpecContext, query: string, options: ExplainOptions): Explanation {
  const out = options.out.replaceAll('\\', '/').replace(/\/+$/, '');
  const route = /^([A-Za-z]+)\s+(\/\S*)$/.exec(query);
  if (route !== null)
    return explainRoute(context, { method: route[1]?.toUpperCase() ?? '', path: route[2] ?? '', out });
  if (/^[A-Za-z]\w*(\.\w+)?$/.test(query)) return explainName(context, query);
  return { unknown: `"${query}" is not a code, a route or table.column${routeHint(query)}` };
}

function routeHint(query: string): string {
  return query.startsWith('/') ? didYouMean(`GET ${query}`) : '';
}
