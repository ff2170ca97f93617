// Redocly accepts the API document as gen writes it, and reports a broken one (null control). Spectral checks it too, in `npm
// run test:generators`.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generate } from '../../generator/generate.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import { count } from '../support/counts.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { generated, type OpenApi, openApiText } from './openapi-document.js';

interface Finding {
  readonly file: string;
  readonly rule: string;
  readonly error: boolean;
}

let redocly: readonly Finding[] = [];

/** The short form checks the document derived from the other, the long form both. */
const SOUND = ['wing.json', ...(count(0, 1) === 1 ? ['good.json'] : []), 'small.json'];

/** All documents go through one run, which takes seconds to start. */
beforeAll(async () => {
  const folder = temporaryFolder('openapi');
  const { text } = generated();
  writeFileSync(join(folder, 'good.json'), text);
  writeFileSync(join(folder, 'wing.json'), PROFILES.wing.document(Buffer.from(text)));
  const small = openApiText(generate({ files: SMALL, ledger: null }, '../runtime/contract/kit.js'));
  writeFileSync(join(folder, 'small.json'), small);
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(breakDocument(JSON.parse(small) as OpenApi)));
  // Clients ask for `/api/game/uri/<part>` beside `/api/game/<id>/boxtops`; no id is `uri`.
  const skipped = '--skip-rule=no-ambiguous-paths';
  const output = await run(folder, [
    'lint',
    ...SOUND,
    'broken.json',
    '--extends=recommended',
    skipped,
    '--format=json',
  ]);
  redocly = readRedocly(output);
});

/** Another domain, without uploads, events and aliases; its document must not mention them. */
const SMALL = Object.entries({
  'conventions.yaml': 'title: Library\nversion: 1.0.0\nsummary: Books and who has them.\nimage_types: [image/png]\n',
  'resources/reader.yaml': `
resource: reader
title: Reader
summary: Somebody who borrows books.
plural: readers
principal: true
operations: { create: admin, fetch: true, update: true, delete: false }
fields:
  username: { kind: text, required: true, unique: true, description: Name to log in with. }
  password: { kind: password, required: true, description: Never shown. }
  admin: { kind: boolean, set: admin, description: Whether an administrator. }
access: { read: anyone, edit: [self] }
`,
  'resources/book.yaml': `
resource: book
title: Book
summary: Book of the library.
plural: books
fields:
  name: { kind: text, required: true, description: Title of the book. }
  isbn: { kind: text, min: 10, max: 13, unique: true, description: Number of the edition. }
  reader:
    kind: reference
    to: reader
    required: true
    need: exists
    on_delete: restrict
    place: true
    list: true
    description: Who has it.
access: { read: anyone, edit: [reader] }
`,
}).map(([path, text]) => ({ path: `spec/${path}`, text }));

/** A few operations, with an unresolved reference, an operationId used twice, and missing responses. */
function breakDocument(document: OpenApi): object {
  const copy = structuredClone(document) as unknown as Record<string, Record<string, Record<string, unknown>>>;
  const post = { ...(document.paths['/api/book']?.post as object), operationId: 'twice' };
  const get = { ...(document.paths['/api/book/{id}']?.get as object), operationId: 'twice', responses: {} };
  const put = { ...(document.paths['/api/book/{id}']?.put as object), requestBody: { $ref: '#/nowhere' } };
  return { ...copy, paths: { '/api/book': { post }, '/api/book/{id}': { get, put } } };
}

function run(folder: string, options: readonly string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const settings = { cwd: folder, env, maxBuffer: 2 ** 27 };
  return new Promise((resolve) => {
    // The exit code says only that there are problems, and the broken document ensures that.
    execFile(join(ROOT, 'node_modules', '.bin', 'redocly'), options, settings, (_error, stdout) => resolve(stdout));
  });
}

/** The output is one JSON text per file, without a separator. */
function readRedocly(output: string): readonly Finding[] {
  const texts = output.slice(output.indexOf('{')).split(/(?<=^\})/m);
  const reports = texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as Redocly);
  if (reports.length !== SOUND.length + 1) throw new Error(`redocly reports on ${reports.length} files: ${output}`);
  const problems = reports.flatMap((report) => report.problems);
  return problems.map(({ ruleId, severity, location }) => {
    return { file: basename(location[0]?.source.ref ?? ''), rule: ruleId, error: severity === 'error' };
  });
}

interface Redocly {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: string;
    readonly location: readonly { readonly source: { readonly ref: string } }[];
  }[];
}

const problemsIn = (file: string) => redocly.filter((problem) => problem.file === file);

test.each(SOUND)('redocly reports nothing in %s', (file) => {
  expect(problemsIn(file)).toEqual([]);
});

test('redocly reports what is broken', () => {
  const rules = problemsIn('broken.json').filter(({ error }) => error);
  expect(new Set(rules.map(({ rule }) => rule))).toEqual(
    new Set(['no-unresolved-refs', 'operation-operationId-unique']),
  );
});
