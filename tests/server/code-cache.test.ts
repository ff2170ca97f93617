// The cache of modules that `npm run build` writes: a program behaves as if Node had loaded it, whatever has happened since to
// its files or to that of the cache.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openArchive } from '../../runtime/server/code-cache/archive.js';
import { isPlain } from '../../runtime/server/code-cache/load.js';
import { writeCache } from '../../runtime/server/code-cache/write.js';
import { OURS, serveIn } from '../cli/processes.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { hasPostgres, sharePostgres } from '../support/postgres.js';
import { ACCESS_KEY, startS3 } from '../support/s3-server.js';

/** A program that prints how it was loaded. */
const SAMPLE: Readonly<Record<string, string>> = {
  'main.js': `#!/usr/bin/env node
const { basename, relative } = require('node:path');
const seen = {
  texts: [require('./latin.js'), require('./wide.js'), require('./data.json'), require('./mark.js')],
  own: [__filename === module.filename, relative(__dirname, __filename), this === exports, typeof require.extensions],
  main: require.main === process.mainModule,
  cycle: require('./cycle-a.js').b.partOfA,
  caught: [1, 2].map(() => { try { return require('./throws.js') } catch ({ message }) { return message } }),
  missing: (() => { try { return require('./missing.js') } catch ({ code }) { return code } })(),
  named: (() => { try { return require('constructor') } catch ({ code }) { return code } })(),
  resolved: relative(__dirname, require.resolve('package')),
  paths: require.resolve.paths('package').slice(0, 2),
  lookups: module.paths.slice(0, 2),
  pack: require('package'),
  same: require('package') === require.cache[require.resolve('package')].exports,
  usual: require('node:module').createRequire(__filename)('./latin.js') === require('./latin.js'),
  left: require('./left.cjs.txt').wide === require('./wide.js'),
  family: [module.children.map(({ id }) => basename(id)).filter((name) => name !== 'left.cjs.txt'), require('./child.js')],
  stack: require('./stack.js').split('\\n').slice(0, 1).map((line) => basename(line)),
  strict: require('./strict.js'),
  es: require('passing') === require('passing/index.js'),
  last: require('./last.js'),
};
require('./dynamic.js')().then(({ default: wide, sync }) => {
  console.log(JSON.stringify({ ...seen, dynamic: wide === require('./wide.js'), sync }, null, 1));
});
`,
  'last.js': "module.exports = '\u2192 after a module that was read twice';\n",
  'latin.js': "module.exports = 'caf\u00e9';\n",
  'wide.js': "module.exports = { text: '\u2192 \u{1f3b2}', source: String(() => 'caf\u00e9 \u2192') };\n",
  'data.json': '\ufeff{ "of": "JSON \u2192" }\n',
  'mark.js': "\ufeffmodule.exports = 'after a byte order mark';\n",
  'cycle-a.js': "exports.early = 1;\nexports.b = require('./cycle-b.js');\nexports.late = 2;\n",
  'cycle-b.js': "exports.partOfA = Object.keys(require('./cycle-a.js'));\n",
  'throws.js': "globalThis.times = (globalThis.times ?? 0) + 1;\nthrow new Error('time ' + globalThis.times);\n",
  'left.cjs.txt': "exports.wide = require('./wide.js');\n",
  'child.js':
    "module.exports = [require('node:path').basename(module.parent.filename), module.id === __filename, module.loaded];\n",
  'stack.js': "module.exports = new Error('first line').stack.replace(/^.*\\n/, '');\n",
  'strict.js': "'use strict';\nmodule.exports = (function () { return this === undefined })();\n",
  'dynamic.js': "require('./only.js');\nmodule.exports = () => import('./module.mjs');\n",
  'only.js': "/** @type {import('.')} */\nmodule.exports = 'required by a module that Node loads';\n",
  'module.mjs':
    "import wide from './wide.js';\nimport { createRequire } from 'node:module';\nexport default wide;\nexport const sync = createRequire(import.meta.url)('./latin.js');\n",
  'node_modules/package/package.json': '{ "main": "lib/entry" }\n',
  'node_modules/package/lib/entry.js': "exports.name = require('../package.json').main;\n",
  'node_modules/passing/package.json':
    '{ "exports": { ".": { "module-sync": "./require.mjs", "default": "./index.js" }, "./index.js": "./index.js" } }\n',
  'node_modules/passing/index.js': 'module.exports = function passing() {};\n',
  'node_modules/passing/require.mjs': "import passing from './index.js';\nexport { passing as 'module.exports' };\n",
  'node_modules/.package-lock.json': '{}\n',
};

/** Another version number of Node, with as many characters as the current one. */
const OTHER_VERSION = process.version.replace(/\d/g, '0');
const CODE = join(ROOT, 'dist', 'runtime', 'server', 'code-cache');
/** The time at which the sample was written, in seconds. */
const WRITTEN = 1_700_000_000.5;
const folder = temporaryFolder('code-cache');
let root: string;
let file: string;
/** The cache of the sample, which is recorded once. */
let recorded: Buffer | null = null;

function writeSample(): void {
  root = join(folder, 'sample');
  rmSync(root, { recursive: true, force: true });
  for (const [path, text] of Object.entries(SAMPLE)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    utimesSync(join(root, path), WRITTEN, WRITTEN);
  }
  file = join(folder, 'sample.bin');
  recorded ??= recordSample();
  writeFileSync(file, recorded);
}

function recordSample(): Buffer {
  const record = `
    const { createRecorder, writeArchive } = require('${CODE}/record.js');
    const recording = createRecorder('${root}');
    require('${CODE}/loader.js').createLoader(recording)('${root}/main.js');
    process.once('beforeExit', () => writeArchive('${file}', '${root}', recording));`;
  execFileSync(process.execPath, ['-e', record]);
  return readFileSync(file);
}

/** Whether a start would use the cache. */
function isUsed(): boolean {
  return openArchive(file, root, Date.now()) !== null;
}

/** What the sample prints when it is loaded from the cache. */
function runFromCache(...options: readonly string[]): string {
  const script = `
    const modules = require('${CODE}/archive.js').openArchive('${file}', '${root}', Date.now());
    require('${CODE}/loader.js').createLoader(modules)('${root}/main.js');`;
  const { stdout, stderr } = spawnSync(process.execPath, [...options, '-e', script], { encoding: 'utf8' });
  return stdout + stderr;
}

interface ListedProcess {
  readonly modules: readonly { readonly path: string; readonly isLater: boolean }[];
}

/** The modules in a cache file: those that a start reads, or those that are read later. */
function pathsIn(cache: string, later = false): readonly string[] {
  const bytes = readFileSync(cache);
  const { modules } = JSON.parse(bytes.toString('utf8', 16, bytes.indexOf('\n'))) as ListedProcess;
  return modules.filter(({ isLater }) => isLater === later).map(({ path }) => path);
}

function runFromFiles(): string {
  return execFileSync(process.execPath, [join(root, 'main.js')], { encoding: 'utf8' });
}

/** Changes a file, and sets the time of the change. */
function rewrite(name: string, change: (text: string) => string, seconds: number): void {
  const path = join(root, name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  utimesSync(path, seconds, seconds);
}

describe('the cache of a sample', () => {
  beforeEach(writeSample);

  test('the program behaves as without the cache', () => {
    expect(isUsed()).toBe(true);
    expect(JSON.parse(runFromCache())).toEqual(JSON.parse(runFromFiles()));
  });

  test('a CommonJS module replaces an ES module that only re-exports it', () => {
    expect(pathsIn(file)).toContain('node_modules/passing/index.js');
  });

  test.each([
    ['a file with unchanged size and time is taken from the cache', WRITTEN, 'caf'],
    ['times are compared in seconds, which are all that the image of a container keeps', Math.floor(WRITTEN), 'caf'],
    ['a file with another time is read again', WRITTEN - 1, 'paf'],
  ])('%s', (_what, seconds, start) => {
    rewrite('latin.js', (text) => text.replace('caf', 'paf'), seconds);
    expect(runFromFiles()).toContain('"paf\u00e9"');
    expect(runFromCache()).toContain(`"${start}\u00e9"`);
  });

  test('a changed module is loaded from its file, with the modules that it now requires', () => {
    writeFileSync(join(root, 'new.js'), "module.exports = require('./wide.js').text + ' changed';\n");
    writeFileSync(join(root, 'child.js'), "module.exports = [require('./new.js'), require('node:path').sep];\n");
    expect(runFromCache()).toContain('changed');
    expect(JSON.parse(runFromCache())).toEqual(JSON.parse(runFromFiles()));
  });

  test.each([
    ['now an ES module', 'strict.js', "import { sep } from 'node:path';\nexport const separator = sep;\n"],
    ['now with a dynamic import', 'child.js', "module.exports = [typeof import('./wide.js').then];\n"],
  ])('Node loads a module that the cache cannot load: %s', (_what, path, text) => {
    writeFileSync(join(root, path), text);
    expect(JSON.parse(runFromCache())).toEqual(JSON.parse(runFromFiles()));
  });

  test('a module that no longer exists gives the usual error', () => {
    rmSync(join(root, 'stack.js'));
    expect(runFromCache()).toMatch(/Cannot find module '.\/stack.js'\nRequire stack:\n- .*main.js/);
  });

  test('N03: modules that are read later can be loaded when no file can be opened and the files are deleted', () => {
    writeFileSync(
      join(root, 'early.js'),
      "module.exports = () => [require('package').name, require('./wide.js').text];\n",
    );
    const record = `
      const { createRecorder, writeArchive } = require('${CODE}/record.js');
      const recording = createRecorder('${root}');
      const later = require('${CODE}/loader.js').createLoader(recording)('${root}/early.js');
      recording.beginLater();
      later();
      writeArchive('${file}', '${root}', recording);`;
    execFileSync(process.execPath, ['-e', record]);
    expect(pathsIn(file)).toEqual(['early.js']);
    const script = `
      const fs = require('node:fs');
      const modules = require('${CODE}/archive.js').openArchive('${file}', '${root}', Date.now());
      const later = require('${CODE}/loader.js').createLoader(modules)('${root}/early.js');
      fs.rmSync('${root}/node_modules', { recursive: true });
      fs.rmSync('${root}/wide.js');
      try { for (;;) fs.openSync('/dev/null'); } catch ({ code }) { console.log(code, later().join()); }`;
    const { stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', `ulimit -n 40; exec "$@"`, 'sh', process.execPath, '-e', script],
      {
        encoding: 'utf8',
      },
    );
    expect([stdout, stderr]).toEqual(['EMFILE lib/entry,\u2192 \u{1f3b2}\n', '']);
  });

  test('a module that most starts do not need is read later, with what only it requires', () => {
    writeFileSync(join(root, 'early.js'), "require('./latin.js');\nrequire('./rare.js');\n");
    writeFileSync(join(root, 'rare.js'), "require('./wide.js');\nrequire('./latin.js');\n");
    const record = `
      const { createRecorder, writeArchive } = require('${CODE}/record.js');
      const recording = createRecorder('${root}', '${root}/rare.js');
      require('${CODE}/loader.js').createLoader(recording)('${root}/early.js');
      recording.beginLater();
      writeArchive('${file}', '${root}', recording);`;
    execFileSync(process.execPath, ['-e', record]);
    expect([pathsIn(file), pathsIn(file, true)]).toEqual([
      ['early.js', 'latin.js'],
      ['rare.js', 'wide.js'],
    ]);
  });

  test('a syntax error names its line', () => {
    writeFileSync(join(root, 'stack.js'), 'module.exports = ;\n');
    expect(runFromCache()).toMatch(/stack.js:1\nmodule.exports = ;\n *\^\n[\s\S]*SyntaxError/);
  });

  test.each<[what: string, change: (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (bytes) => bytes.subarray(0, -1)],
    ['not a cache', () => Buffer.from('#!/bin/sh\nexit 1\n')],
    [
      'of another Node',
      (bytes) => Buffer.from(bytes.toString('latin1').replace(process.version, OTHER_VERSION), 'latin1'),
    ],
  ])('a file that is %s is not used', (_what, change) => {
    writeFileSync(file, change(readFileSync(file)));
    expect(isUsed()).toBe(false);
  });

  test('a missing file, and one for other packages, are not used', () => {
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{ "other": true }\n');
    expect(isUsed()).toBe(false);
    rmSync(file);
    expect(isUsed()).toBe(false);
  });

  test('the file of a folder that was copied is not used', () => {
    cpSync(root, `${root}-copied`, { recursive: true, preserveTimestamps: true });
    root = `${root}-copied`;
    expect(isUsed()).toBe(false);
  });

  test('code that V8 compiled under other flags is compiled again', () => {
    expect(JSON.parse(runFromCache('--max-old-space-size=300'))).toEqual(JSON.parse(runFromFiles()));
  });
});

test.each<[used: boolean, options: readonly string[], env: Readonly<Record<string, string>>]>([
  [true, [], {}],
  [true, ['--max-old-space-size=4096'], { NODE_OPTIONS: ' --max-semi-space-size=64  --max-http-header-size=9000' }],
  [false, ['--require', './tracing.js'], {}],
  [false, ['--inspect'], {}],
  [false, [], { NODE_OPTIONS: '--import=./tracing.mjs' }],
  [false, [], { NODE_OPTIONS: '--max-old-space-size=4096 --enable-source-maps' }],
  [false, [], { NODE_V8_COVERAGE: 'coverage' }],
  [false, [], { NODE_PRESERVE_SYMLINKS: '1' }],
])('whether the cache is used is %p with options %j and variables %j', (used, options, env) => {
  expect(isPlain(options, env)).toBe(used);
});

/** Modules that only commands or the cache itself load. */
const OF_COMMANDS = /^dist\/runtime\/(admin\/(cli\.|commands\/)|server\/code-cache\/|store\/\w+\/commands\.)/;

describe('the cache of this program', () => {
  let cacheFile: string;
  beforeAll(async () => {
    cacheFile = join(folder, 'own.bin');
    await writeCache(cacheFile);
  });

  test('the cache holds what a server loads until its first answer', () => {
    const paths = pathsIn(cacheFile);
    expect(paths).toEqual(
      expect.arrayContaining([
        'dist/generated/index.js',
        'dist/generator/program.js',
        'dist/runtime/server/main.js',
        'dist/runtime/store/sqlite/engine.js',
        'node_modules/better-sqlite3/lib/index.js',
        'node_modules/express/index.js',
      ]),
    );
    expect(paths.filter((path) => /\/(yaml|pg|pages\/files|prom-client|undici|sqlite\/migrate)\//.test(path))).toEqual(
      [],
    );
    expect(pathsIn(cacheFile, true)).toEqual(
      expect.arrayContaining([
        'dist/generator/commands/gen.js',
        'dist/generator/compile-spec.js',
        'dist/runtime/http/versions/version.js',
        'dist/runtime/http/wing-document.js',
        'dist/runtime/pages/files/handlebars.js',
        'dist/runtime/server/console.js',
        'dist/runtime/server/portal.js',
        'dist/runtime/server/processes/worker.js',
        'dist/runtime/store/sqlite/migrate/apply.js',
        'dist/runtime/webhooks/send/connections.js',
        'node_modules/ajv/dist/ajv.js',
      ]),
    );
  });

  test('the cache holds every module that a server may require later', () => {
    const cached = [...pathsIn(cacheFile), ...pathsIn(cacheFile, true)];
    const ofServers = cached.filter((path) => path.startsWith('dist/runtime/') && !OF_COMMANDS.test(path));
    const required = ofServers.flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\brequire\(['"](\.[^'"]+)['"]\)/g)].map(([, to = '']) =>
        join(dirname(path), to),
      ),
    );
    expect(required).toContain('dist/runtime/files/bucket.js');
    expect(required.filter((path) => !cached.includes(path) && !OF_COMMANDS.test(path))).toEqual([]);
  });

  test("a maintainer's command is loaded from the cache", () => {
    const script = join(folder, 'check.js');
    writeFileSync(
      script,
      `void require('${CODE}/load.js').loadFromCache('${ROOT}/dist/generator/program.js', '${cacheFile}').main();
      const { isCached } = require('${CODE}/loader.js');
      console.log(isCached(require.cache['${ROOT}/dist/generator/compile-spec.js']));`,
    );
    const args = [script, 'check', '--spec', join(ROOT, 'spec')];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^No mistakes in \d+ files\.\ntrue\n$/), '']);
  });

  /** Starts and stops a server whose modules come from the cache. */
  async function serves(options: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
    const script = join(folder, 'serve.js');
    const program = `loadFromCache('${ROOT}/dist/generator/program.js', '${cacheFile}')`;
    writeFileSync(script, `require('${CODE}/load.js').${program}.main()`);
    const server = await serveIn(['--port', '0', ...options], folder, {
      env: { ...OURS, ...env },
      program: [process.execPath, script],
    });
    expect((await fetch(`${server.address}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${server.address}/api/boxtop/none`)).status).toBe(404);
    expect((await server.end('SIGTERM')).code).toBe(0);
  }

  test.each([[['--demo']], [['--console', '--portal', '--processes', '2']]])(
    'a server starts with the cache and the options %j',
    (options) => {
      const data = join(folder, options.join());
      return serves(['--database', join(data, 'db'), '--files', join(data, 'files'), ...options]);
    },
  );

  (hasPostgres ? test : test.skip)('a server on PostgreSQL with a bucket starts with the cache', async () => {
    const [postgres, bucket] = await Promise.all([sharePostgres(), startS3()]);
    const credentials = { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: 'secret' };
    await serves(['--database', await postgres.createDatabase(), '--files', bucket.address()], credentials);
    await Promise.all([postgres.stop(), bucket.stop()]);
  });
});
