// The shape of the project: who may import whom, how long a file may be, and where a resource may be named.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { KINDS } from '../generator/model/kinds/kinds.js';
import { ROOT } from './support/paths.js';

/** What the generator may use of the runtime: types, the routes of a definition, the needs, tables. */
const OF_THE_RUNTIME = [
  'runtime/schema',
  'runtime/project',
  'runtime/contract/access.ts',
  'runtime/contract/catalogue.ts',
  'runtime/contract/command-error.ts',
  'runtime/contract/definition.ts',
  'runtime/contract/delivery-states.ts',
  'runtime/contract/is-map.ts',
  'runtime/contract/kit/routes.ts',
  'runtime/contract/needs.ts',
  'runtime/contract/peers.ts',
  'runtime/contract/ranges.ts',
  'runtime/contract/versions.ts',
  'runtime/schema/check-needs.ts',
];

/** What a folder or file may import, longest key first. Adding an edge here is a change of architecture. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // The command loads either side on demand, and that of a server from the cache.
  'generator/bin.ts': ['generator/oldest-node.ts', 'generator/program.ts', 'runtime/server/code-cache/load.ts'],
  'generator/program.ts': ['generator', 'runtime/admin/cli.ts', 'runtime/store/open-engine.ts'],
  ...inGenerator({
    diagnostics: [],
    load: ['diagnostics', 'memoize.ts'],
    language: [],
    // The model is data, and independent of what is emitted from it and how that is written.
    model: ['language', 'memoize.ts'],
    form: ['diagnostics', 'load', 'language', 'model', 'memoize.ts'],
    ledger: ['language', 'model', 'form', 'memoize.ts'],
    build: ['language', 'model', 'ledger', 'memoize.ts'],
    check: ['diagnostics', 'load', 'language', 'model', 'form', 'ledger', 'memoize.ts'],
    // The versions that were cut, and what their callers get.
    versions: ['diagnostics', 'load', 'language', 'model', 'form', 'ledger'],
    emit: ['load', 'language', 'model', 'form', 'versions', 'memoize.ts'],
    impact: ['diagnostics', 'load', 'language', 'model', 'form', 'emit', 'versions'],
    write: ['diagnostics', 'load', 'form', 'ledger', 'check', 'emit'],
    'compile-spec.ts': ['diagnostics', 'load', 'ledger', 'check', 'model', 'build', 'versions'],
    'fix-spec.ts': ['diagnostics', 'load', 'check', 'compile-spec.ts'],
    'generate.ts': ['diagnostics', 'language', 'model', 'form', 'ledger', 'check', 'emit', 'write', 'compile-spec.ts'],
    commands: [
      ...['diagnostics', 'load', 'language', 'model', 'ledger', 'check', 'emit', 'impact', 'versions', 'write'],
      ...['compile-spec.ts', 'fix-spec.ts', 'generate.ts', 'memoize.ts'],
    ],
    'memoize.ts': [],
    'oldest-node.ts': [],
  }),
  // Only the service knows how it produces the rows that it will show.
  'generator/emit/catalogue.ts': [
    'generator/model',
    'runtime/contract/catalogue.ts',
    'runtime/contract/definition.ts',
    'runtime/operations/catalogue.ts',
  ],
  generated: ['generated', 'runtime/contract/kit.ts'],
  'generated/tests': ['generated/tests', 'tests/properties/testing.ts'],
  ...inRuntime({
    contract: [],
    rules: ['contract'],
    schema: ['contract'],
    store: ['contract', 'rules', 'schema'],
    project: [],
    files: ['contract', 'store'],
    operations: ['contract', 'schema', 'store'],
    http: ['contract', 'schema/order.ts', 'store', 'files', 'operations'],
    auth: ['contract', 'store', 'operations', 'http'],
    pages: ['contract', 'http'],
    webhooks: ['contract', 'rules', 'store', 'operations', 'http'],
    'admin/console': ['contract', 'schema', 'store', 'operations', 'http', 'auth', 'pages', 'webhooks'],
    'admin/portal': ['contract', 'store', 'operations', 'pages', 'webhooks', 'admin/console'],
    resources: ['contract', 'rules'],
    server: [
      ...[
        'contract',
        'rules',
        'schema',
        'store',
        'project',
        'files',
        'operations',
        'http',
        'auth',
        'pages',
        'webhooks',
      ],
      ...['admin/console', 'admin/portal', 'resources'],
    ],
    'admin/demo': ['contract', 'store', 'files', 'auth', 'server'],
    'admin/commands': [
      'contract',
      'schema',
      'store',
      'project',
      'files',
      'operations',
      'http',
      'auth',
      'webhooks',
      'server',
      'admin/demo',
    ],
    'admin/simulate': ['contract', 'rules', 'store', 'http', 'webhooks', 'server', 'admin/commands'],
    'admin/webhooks': ['contract', 'rules', 'store', 'http', 'webhooks', 'server', 'admin/commands', 'admin/simulate'],
    'admin/cli.ts': ['server', 'admin/commands', 'admin/webhooks'],
  }),
  tests: ['generator', 'runtime', 'generated', 'tests'],
};

/** What folders of the generator may import: themselves, the named ones, and the parts of the runtime that read their output. */
function inGenerator(edges: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, readonly string[]>> {
  const all = Object.entries(edges).map(([name, others]) => {
    const allowed = [name, ...others].map((folder) => `generator/${folder}`);
    return [`generator/${name}`, [...allowed, ...OF_THE_RUNTIME]] as const;
  });
  return Object.fromEntries(all);
}

/** What folders of the runtime may import: themselves, and the named ones, which are below them. */
function inRuntime(edges: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, readonly string[]>> {
  const all = Object.entries(edges).map(([name, others]) => {
    const generated = ['resources', 'server', 'admin/demo'].includes(name) ? ['generated'] : [];
    return [`runtime/${name}`, [...[name, ...others].map((folder) => `runtime/${folder}`), ...generated]] as const;
  });
  return Object.fromEntries(all);
}

/** Code with side effects or outside input; everything else is pure: no disk, network, clock or randomness. */
const IMPURE = [
  'generator/program.ts',
  'generator/write/',
  // This file only computes hashes.
  'generator/impact/fingerprint.ts',
  'generator/emit/output.ts',
  'runtime/project/',
  // This file only computes hashes.
  'runtime/schema/hash.ts',
  'runtime/contract/tokens.ts',
  'runtime/server/',
  'runtime/store/',
  'runtime/files/',
  'runtime/http/',
  'runtime/pages/',
  'runtime/auth/',
  // This file only computes hashes.
  'runtime/admin/console/session.ts',
  'runtime/admin/commands/',
  'runtime/admin/demo/demo',
  'runtime/admin/webhooks/commands.ts',
  'runtime/admin/webhooks/control-commands.ts',
  'runtime/admin/webhooks/listen',
  'runtime/admin/webhooks/database-commands.ts',
  'runtime/webhooks/settings.ts',
  'runtime/webhooks/mail/transport.ts',
  'runtime/webhooks/module.ts',
  // This file only computes hashes.
  'runtime/rules/signature.ts',
  'runtime/webhooks/send/connections.ts',
  'runtime/webhooks/send/resolve.ts',
];
const READS_ENVIRONMENT = [
  'generator/program.ts',
  'runtime/server/main.ts',
  'runtime/admin/cli.ts',
  'runtime/server/code-cache/load.ts',
];
/** Statements about records read from `rowsOf` and write to `tableFor`. */
const NAMES_A_TABLE = /\b(FROM|JOIN|INTO|UPDATE|USING) \$\{quoted\(|(?<!\.)\$\{quoted\([^)]*\)\} (\$\{|[a-z])/;
/** A statement that changes records starts in runtime/schema/version.ts, so that it raises their version (D57). */
const CHANGES_RECORDS = /UPDATE (\$\{tableFor|webhook |apikey |user |file |game )/;
/** Code about the tables of a schema, whatever their rows: migrations, copies, backups, and tables of the engine itself. */
const OF_TABLES = [/\/migrate\//, /\/(transfer|backup|words|session|unique-values)\.ts$/];
const LONGEST_FILES = { generator: 400, runtime: 350 };
const LONGEST_FUNCTION = 50;
const MOST_FILES_AT_THE_ROOT = 12;
/** The code that serves callers of an earlier version (D68), without comments, blank lines and imports. */
const VERSIONS =
  /^(runtime\/http|generator)\/versions\/|^(runtime\/contract|generator\/emit)\/versions\.ts$|^generator\/(model\/names|commands\/version)\.ts$/;
const MOST_LINES_OF_VERSIONS = 1500;

interface Source {
  readonly path: string;
  readonly text: string;
}

function sources(...folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|hbs)$/.test(file) && !file.startsWith('dist'))
      .map((file) => ({ path: posix.join(folder, file), text: readFileSync(join(ROOT, folder, file), 'utf8') })),
  );
}

function imports({ path, text }: Source): readonly string[] {
  const found = [...text.matchAll(/(?:from|import\(|require\()\s*['"](\.[^'"]+|punchboard\/[^'"]+)['"]/g)].map(
    ([, target]) => target ?? '',
  );
  return found.map((target) =>
    target.startsWith('.')
      ? relative(ROOT, join(ROOT, dirname(path), target)).replace(/\.js$/, '.ts')
      : (EXPORTED[target.replace('punchboard', '.')] ?? target),
  );
}

/** The files that the package exports, by name. */
const EXPORTED = Object.fromEntries(
  Object.entries(packageExports()).flatMap(([name, { types }]) =>
    types === undefined ? [] : [[name, types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts')]],
  ),
);

function packageExports(): Readonly<Record<string, { readonly types?: string }>> {
  return (
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: ReturnType<typeof packageExports> }
  ).exports;
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function rule(path: string): readonly string[] {
  const key = Object.keys(MAY_IMPORT)
    .filter((folder) => within(path, folder))
    .sort((a, b) => b.length - a.length)[0];
  return key === undefined ? [] : (MAY_IMPORT[key] ?? []);
}

/** `from -> to` of every import that the table does not allow. */
function forbidden(files: readonly Source[]): readonly string[] {
  return files.flatMap((file) =>
    imports(file)
      .filter((target) => !rule(file.path).some((allowed) => within(target, allowed)))
      .map((target) => `${file.path} -> ${target}`),
  );
}

const CODE = sources('generator', 'runtime', 'generated', 'tests');

describe('architecture', () => {
  test('imports follow the table', () => expect(forbidden(CODE)).toEqual([]));

  test('generated code imports this package only by its name', () => {
    const relative = sources('generated').map(({ path, text }) => ({
      path,
      text: text.replaceAll("'punchboard/", "'"),
    }));
    const leaving = relative.filter((file) => imports(file).some((target) => !within(target, 'generated')));
    expect(leaving.map(({ path }) => path)).toEqual([]);
  });

  test('a forbidden import is reported', () => {
    const file = {
      path: 'runtime/contract/ids.ts',
      text: `import { load } from '${'../'.repeat(2)}generator/load/load.js';`,
    };
    expect(forbidden([file])).toEqual(['runtime/contract/ids.ts -> generator/load/load.ts']);
  });

  test.each(['generator', 'runtime'])('folders do not import each other in cycles: %s', (side) => {
    const folders = Object.keys(MAY_IMPORT).filter((key) => key.startsWith(`${side}/`) && !key.endsWith('.ts'));
    const edges = folders.map((from) => {
      const targets = (MAY_IMPORT[from] ?? []).filter((to) => to !== from && folders.includes(to));
      return [from, targets] as const;
    });
    expect(folders.length).toBeGreaterThan(10);
    expect(cycles(new Map(edges))).toEqual([]);
  });

  test('files do not import each other in cycles', () => {
    const graph = new Map(
      CODE.filter(({ path }) => !path.startsWith('tests')).map((file) => [file.path, valueImports(file)]),
    );
    expect(cycles(graph)).toEqual([]);
  });

  test('files stay short', () => {
    const long = Object.entries(LONGEST_FILES).flatMap(([folder, longest]) =>
      sources(folder)
        .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
        .filter(({ lines }) => lines > longest),
    );
    expect(long).toEqual([]);
  });

  test('the code for versions of the API stays short', () => {
    const lineCounts = CODE.filter(({ path }) => VERSIONS.test(path)).map(({ text }) => linesOfCode(text));
    expect(lineCounts.length).toBeGreaterThan(15);
    expect(lineCounts.reduce((sum, lines) => sum + lines)).toBeLessThanOrEqual(MOST_LINES_OF_VERSIONS);
    expect(linesOfCode("// One.\nimport {\n  a,\n} from './a.js';\n\n/** Two. */\nfunction b() {}\n")).toBe(1);
  });

  test.each(['generator', 'runtime'])('the root of each side has few files: %s', (side) => {
    const files = readdirSync(join(ROOT, side), { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeLessThanOrEqual(MOST_FILES_AT_THE_ROOT);
  });

  test('only the write folder of the generator touches the disk', () => {
    const touching = sources('generator').filter(({ text }) => /from 'node:(fs|child_process)/.test(text));
    const elsewhere = touching.map(({ path }) => path).filter((path) => !path.startsWith('generator/write/'));
    expect(elsewhere).toEqual([]);
  });

  /** The linter counts the lines of functions; this only checks that no file disables the rule. */
  test('functions stay short', () => {
    const { overrides } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as { overrides: unknown };
    const rule = { noExcessiveLinesPerFunction: { level: 'error', options: { maxLines: 50 } } };
    expect(overrides).toEqual([expect.objectContaining({ linter: { rules: { complexity: rule } } })]);
  });

  /** The linter would count the callback of a `describe`, which is a list of tests, as one function. */
  test('functions of tests stay short', () => {
    const tests = sources('tests').filter(({ path }) => path.endsWith('.test.ts') && !path.includes('/golden/'));
    expect(tests.flatMap(longFunctions)).toEqual([]);
  });

  test('a long function in a test is reported', () => {
    const body = '    expect(1).toBe(1);\n'.repeat(LONGEST_FUNCTION + 1);
    const text = `describe('all', () => {\n  test('one', async () => {\n${body}  });\n});\n`;
    expect(longFunctions({ path: 'tests/one.test.ts', text })).toEqual([
      "tests/one.test.ts: test('one', async () => {",
    ]);
  });

  test('files start with a comment on what they do', () => {
    const silent = sources('generator', 'runtime').filter(
      ({ text, path }) => path.endsWith('.ts') && !/^(#!.*\n)?\/[/*]/.test(text),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test.each([
    ['spec/decisions.md', 100],
    ['CONTRIBUTING.md', 30],
  ])('%s names only files that exist', (page, least) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const named = [...text.matchAll(/`((?:generator|runtime|spec|tests)\/[^`{*<]+)`/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(least);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('the model contains no TypeScript', () => {
    const code = sources('generator/model').filter(({ text }) =>
      /\b(input|row|context)\.[\w$]/.test(uncommented(text)),
    );
    expect(code.map(({ path }) => path)).toEqual([]);
  });

  test('no code branches on kinds of fields', () => {
    const generator = sources('generator').filter(({ path }) => !within(path, 'generator/model/kinds'));
    const runtime = sources('runtime').filter(({ path }) => !NAMES_KINDS.includes(path));
    expect([...branching(generator, KINDS), ...branching(runtime, OF_FIELDS_ALONE)]).toEqual([]);
  });

  test.each([
    "if (field.kind === 'reference') return field.to;",
    "return field?.kind !== 'enum' ? null : field.values;",
    "const { kind: of } = field;\nif (of === 'password') return [];",
    "switch (field.kind) {\n  case 'image':\n    return [];\n}",
    "return ['image', 'file'].includes(field.kind);",
    "const VIEWS = {\n  image: 'editor',\n  file: 'editor',\n  password: 'nobody',\n};",
  ])('a branch on a kind is found: %s', (text) => {
    expect(branching([{ path: 'generator/check/rule.ts', text }], KINDS)).toHaveLength(1);
  });

  test.each(["if (typeof value === 'boolean') return 1;", "if (schema.type === 'integer') return 1;"])(
    'what is no kind is not taken for one: %s',
    (text) => expect(branching([{ path: 'generator/check/rule.ts', text }], KINDS)).toEqual([]),
  );

  test('only the edges read the environment', () => {
    const readers = sources('generator', 'runtime').filter(({ text }) => /process\.env/.test(text));
    expect(readers.map(({ path }) => path).filter((path) => !READS_ENVIRONMENT.includes(path))).toEqual([]);
  });

  test('pure files stay pure', () => {
    const world = /from 'node:(fs|net|http|https|dns|child_process|crypto)|\bDate\.now\(|\bnew Date\(\)|Math\.random\(/;
    const touching = sources('generator', 'runtime')
      .filter(({ text }) => world.test(text))
      .map(({ path }) => path);
    expect(touching.filter((path) => !IMPURE.some((allowed) => path.startsWith(allowed)))).toEqual([]);
  });

  /** Tests share the modules of both sides, and a process may hold several services. */
  test('modules have no state', () => {
    const keepers = sources('generator', 'runtime').filter(({ text }) => KEEPS.test(text));
    expect(keepers.map(({ path }) => path)).toEqual(KEEPERS);
  });

  test.each([
    'let last = 0;',
    'export let last = 0;',
    'const all: string[] = [];',
    'const known = new Map<string, number>();',
  ])('a module that keeps something is found: %s', (line) =>
    expect(KEEPS.test(`// What it does.\n${line}\n`)).toBe(true),
  );

  test('one file opens connections', () => {
    const makers = sources('generator', 'runtime').filter(({ text }) => /\bnew Database\(/.test(text));
    expect(makers.map(({ path }) => path)).toEqual(['runtime/store/sqlite/driver.ts']);
  });

  test('the generator writes no SQL', () => {
    const writers = sources('generator', 'generated').filter(({ text }) => SQL.test(text));
    expect(writers.map(({ path }) => path)).toEqual([]);
  });

  test('SQL and the driver stay in the engine', () => {
    const users = sources('runtime').filter(({ text }) => SQL.test(text) || /from '(better-sqlite3|pg)'/.test(text));
    expect(users.map(({ path }) => path).filter((path) => !ENGINE.some((place) => within(path, place)))).toEqual([]);
  });

  test('one file names the rows of a resource', () => {
    const namers = sources('runtime/store').filter(
      ({ path, text }) => NAMES_A_TABLE.test(text) && !OF_TABLES.some((one) => one.test(path)),
    );
    expect(namers.map(({ path }) => path)).toEqual(['runtime/store/sql/rows.ts']);
    expect(NAMES_A_TABLE.test(`SELECT 1 FROM \${quoted(name)} t`)).toBe(true);
  });

  test('one file starts the statements that change records', () => {
    const changers = sources('runtime').filter(({ text }) => CHANGES_RECORDS.test(text));
    expect(changers.map(({ path }) => path)).toEqual([]);
    expect(CHANGES_RECORDS.test(`UPDATE \${tableFor(apiKeys)} AS k SET last_used = 1`)).toBe(true);
  });

  test('nothing else imports the engine', () => {
    const users = sources('runtime', 'generator').filter(
      (file) => !ENGINE.some((place) => within(file.path, place)) && imports(file).some(isImplementation),
    );
    expect(users.map(({ path }) => path).filter((path) => !OPENS_ENGINES.includes(path))).toEqual([]);
  });

  test('resources are named only where they belong', () => {
    const names = readdirSync(join(ROOT, 'spec', 'resources'))
      .map((file) => file.replace(/\.yaml$/, ''))
      .filter((name) => !PLAIN_WORDS.has(name));
    expect(names).toContain('boxtop');
    expect(naming(names)).toEqual([]);
  });
});

/** Files that state the needs of hand-written code and how values convert: tables of kinds on purpose. */
const NAMES_KINDS = ['runtime/contract/needs.ts', 'runtime/schema/conversions.ts'];
/** Words of the small closed sets of definition.ts, of JSON Schema, and of output formats. */
const OF_OTHER_SETS = ['text', 'integer', 'boolean', 'date', 'json'];
/** Kinds that are not parameter types as well, which the runtime must not use. */
const OF_FIELDS_ALONE = ['image', 'file', 'computed'];

/** `path: what` for each place that tests the name of a kind instead of a fact about it. */
function branching(files: readonly Source[], kinds: readonly string[]): readonly string[] {
  const name = `['"](?:${kinds.join('|')})['"]`;
  const telling = kinds.filter((kind) => !OF_OTHER_SETS.includes(kind));
  const patterns = [
    new RegExp(`\\bkind [!=]== ${name}`),
    // This applies to any variable; a keyword of JSON Schema and a limit of a table may share the name of a kind.
    new RegExp(`(?<!\\b(?:rule|keyword) )[!=]== ['"](?:${telling.join('|')})['"]`),
    new RegExp(`\\bcase ${name}`),
    new RegExp(`\\[(?:\\s*${name},)*\\s*['"](?:${telling.join('|')})['"](?:,\\s*${name})+`),
  ];
  return files.flatMap(({ path, text }) => {
    const code = uncommented(text);
    const keys = telling.filter((kind) => new RegExp(`^ +${kind}: `, 'm').test(code));
    const named = new Set(patterns.flatMap((pattern) => /'\w+'/.exec(pattern.exec(code)?.[0] ?? '')?.[0] ?? []));
    return [...named, ...(keys.length > 2 ? [`a table of ${keys.join(', ')}`] : [])].map((what) => `${path}: ${what}`);
  });
}

/** `path: first line` of each function that is too long, detected by the indentation that the formatter ensures. */
function longFunctions({ path, text }: Source): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, at) => {
    if (!/(=>|\bfunction\b.*) \{$/.test(line) || /\bdescribe/.test(line)) return [];
    const end = `${/^ */.exec(line)?.[0]}}`;
    const inside = lines.slice(at + 1).findIndex((inner) => inner.startsWith(end));
    return inside > LONGEST_FUNCTION ? [`${path}: ${line.trim()}`] : [];
  });
}

/** Lines without comments, blank lines and imports. */
function linesOfCode(text: string): number {
  const code = uncommented(text).replace(/^import\b[^;]*;$/gm, '');
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

function uncommented(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '');
}

/** The beginnings of statements. `generated/schema.sql` is written by runtime/schema/sqlite. */
const SQL = /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE \S+ SET|CREATE (TEMP )?(TABLE|INDEX|TRIGGER)|PRAGMA)\b/;

/** A variable of a module, or a collection that starts empty and is not read-only. */
const KEEPS = /^(export )?(let |const (?!.*\b(Readonly\w+|readonly )).* = (new (Map|Set)(<.*>)?\(\)|\[\]|\{\});)/m;
const KEEPERS = [
  // The result of compiling is always the same.
  'generator/form/structure.ts',
  // Connections, since the driver does not survive their garbage collection.
  'runtime/store/sqlite/driver.ts',
  // Empty lists that only their types make read-only.
  'runtime/store/sqlite/record-statements.ts',
];

/** The engines as a whole, the verbs that they share, and the code that composes their statements. */
const ENGINE = [
  'runtime/store/sql',
  'runtime/store/records',
  'runtime/store/outbox',
  'runtime/store/migrate',
  ...[
    'audit-log',
    'engine-tables',
    'figures',
    'files',
    'idempotency',
    'identity',
    'publisher',
    'remembered',
    'transfer',
  ].map((file) => `runtime/store/${file}.ts`),
  'runtime/store/unit.ts',
  ...['sqlite', 'postgres'].flatMap((one) => [`runtime/store/${one}`, `runtime/schema/${one}`]),
];
/** Only engines may import these folders; the files beside them also contain types of the interface. */
const FOLDERS_OF_ENGINES = ENGINE.filter((path) => path.startsWith('runtime/store/') && !path.endsWith('.ts'));
/** The files that may import implementations of the engine: the one that chooses, and the comparison of rows before a deploy. */
const OPENS_ENGINES = ['runtime/store/open-engine.ts'];

function isImplementation(path: string): boolean {
  return FOLDERS_OF_ENGINES.some((folder) => within(path, folder));
}

/** Words with another meaning in the code (a field kind, `user add`, a part of a form, the API document). */
const PLAIN_WORDS = new Set(['user', 'file', 'part', 'document']);
/** Words that are also plain English in code; only a string with nothing else would name the resource. */
const ENGLISH = new Set(['game', 'folder', 'designer', 'receipt']);

function naming(names: readonly string[]): readonly string[] {
  const allowed = [
    'runtime/resources/',
    'runtime/auth/',
    'runtime/webhooks/',
    'runtime/rules/',
    'runtime/admin/demo/',
    'runtime/admin/simulate/',
    'runtime/admin/commands/webhooks-options.ts',
    'runtime/store/outbox/',
    'runtime/store/sqlite/outbox/',
    'runtime/store/postgres/outbox/',
    'runtime/store/sqlite/tables.ts',
    'runtime/store/postgres/tables.ts',
    'runtime/contract/needs.ts',
  ];
  const places = ['runtime', 'generator/emit', 'generator/model/kinds', 'tests/properties'];
  const files = sources(...places).filter(({ path }) => !allowed.some((folder) => path.startsWith(folder)));
  return files.flatMap(({ path, text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const found = names.filter((name) =>
      new RegExp(ENGLISH.has(name) ? `['"\`]${name}['"\`]` : `\\b${name}\\b`).test(code),
    );
    return found.map((name) => `${path}: ${name}`);
  });
}

function valueImports(file: Source): readonly string[] {
  return imports({ path: file.path, text: file.text.replace(/import type [^;]*;|export type \{[^;]*;/g, '') });
}

/** Every import cycle once, as the path that closes it. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}
