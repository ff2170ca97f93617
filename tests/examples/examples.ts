// Each example as somebody else's repository: `npm run test:examples`. Punchboard is packed and installed from the archive alone;
// then the example is generated, tested, served, edited, migrated, backed up and restored by the commands of its README. The
// library is also upgraded from an earlier package. In the long form, it runs on Node 22 and 24, too (here the service of this
// repository does: `npm run nodes`), and pnpm and yarn install the repository that `init` writes.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runIn } from '../cli/processes.js';
import { installNode } from '../nodes/install.js';
import { PROMISED } from '../nodes/promised.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startPostgres } from '../support/postgres.js';
import { checkoutOf } from '../upgrade/checkouts.js';
import { begin, type Example, upgrade, walk } from './walk.js';

const HERE = join(ROOT, 'tests', 'examples');
const LONG = process.env.PUNCHBOARD_LONG === '1';

/** Limits that the package is measured against. */
const MOST_BYTES_PACKED = 2 * 1024 ** 2;
const MOST_MEGABYTES_INSTALLED = 60;

async function main(): Promise<void> {
  const folder = temporaryFolder('examples');
  try {
    const archive = pack(folder);
    const base = install(join(folder, 'my-service'), archive);
    measureInstalled(base);
    const names = readdirSync(HERE, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
    await reported('what is not installed is named', () => namesPeers(base));
    for (const name of names) await reported(name, () => tryExample(name, folder, base));
    await tryUpgrade(folder, base);
    for (const wanted of PROMISED) {
      if (LONG) await tryNode(wanted, folder, base);
      else process.stdout.write(`NOT TRIED: library on Node ${wanted}, which the long form does\n`);
    }
    for (const manager of Object.keys(MANAGERS)) {
      if (LONG || manager === 'pnpm')
        await reported(`installed by ${manager}`, () => tryManager(manager, folder, archive));
      else process.stdout.write(`NOT TRIED: installed by ${manager}, which the long form does\n`);
    }
    process.stdout.write(`${names.length} examples, ${failures} failures\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let failures = 0;

async function reported(what: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
    process.stdout.write(`ok   ${what}\n`);
  } catch (error) {
    failures++;
    process.exitCode = 1;
    process.stdout.write(`FAIL ${what}: ${(error as Error).message}\n`);
  }
}

/** @returns the path of the archive as npm would publish it */
function pack(folder: string): string {
  const [{ filename, size }] = JSON.parse(
    runHere(ROOT, 'npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
  ) as [{ readonly filename: string; readonly size: number }];
  process.stdout.write(`packed: ${size} bytes\n`);
  if (size > MOST_BYTES_PACKED) throw new Error(`the archive has more than ${MOST_BYTES_PACKED} bytes`);
  return join(folder, filename);
}

/**
 * A repository as `init` writes it, with its dependencies. The short form uses the SQLite driver that is compiled here, since
 * compiling it takes most of the time.
 */
function install(folder: string, archive: string): string {
  mkdirSync(folder);
  runHere(folder, process.execPath, join(ROOT, 'dist', 'generator', 'bin.js'), 'init');
  const options = LONG ? [] : ['--ignore-scripts'];
  runHere(folder, 'npm', 'install', '--no-audit', '--no-fund', ...options, archive, 'pg');
  const driver = join('node_modules', 'better-sqlite3', 'build');
  if (!LONG) cpSync(join(ROOT, driver), join(folder, driver), { recursive: true });
  return folder;
}

/** Measures what a running service needs: neither packages for development, nor what compiling the driver leaves behind. */
function measureInstalled(base: string): void {
  const listed = runHere(base, 'npm', 'ls', '--omit=dev', '--all', '--parseable').split('\n').slice(1).filter(Boolean);
  const sizes = runHere(base, 'du', '-sk', '--exclude=obj', '--exclude=obj.target', ...listed).split('\n');
  const megabytes = Math.round(sizes.reduce((sum, line) => sum + Number.parseInt(line || '0', 10), 0) / 1000);
  process.stdout.write(`installed: ${listed.length} packages, ${megabytes} MB\n`);
  if (megabytes > MOST_MEGABYTES_INSTALLED) throw new Error(`a service takes more than ${MOST_MEGABYTES_INSTALLED} MB`);
}

const programIn = (folder: string) =>
  [process.execPath, join(folder, 'node_modules', 'punchboard', 'dist', 'generator', 'bin.js')] as const;

/** The optional packages, each with a command that needs it. */
const PEERS: Readonly<Record<string, readonly string[]>> = {
  pg: ['serve', '--port', '0', '--database', 'postgres://127.0.0.1/none'],
  '@aws-sdk/client-s3': ['serve', '--port', '0', '--files', 's3://bucket/files?region=eu-west-1'],
  nodemailer: ['serve', '--port', '0', '--smtp-url', 'smtp://127.0.0.1:25'],
  typescript: ['gen'],
  jest: ['test'],
  'fast-check': ['test'],
};

/** Hides each package while its command runs. */
async function namesPeers(base: string): Promise<void> {
  const program = programIn(base);
  const generated = await runIn(['gen'], base, { program });
  if (generated.code !== 0) throw new Error(generated.stderr);
  for (const [name, command] of Object.entries(PEERS)) {
    const [place, hidden] = [join(base, 'node_modules', name), join(base, 'hidden')];
    const isThere = existsSync(place);
    // There would be nothing to compile otherwise.
    if (name === 'typescript') rmSync(join(base, 'generated'), { recursive: true });
    if (isThere) renameSync(place, hidden);
    const { code, stderr } = await runIn(command, base, { program });
    if (isThere) renameSync(hidden, place);
    if (name === 'typescript') await runIn(['gen'], base, { program });
    const isNamed = code === 1 && new RegExp(`the package ${name}: npm install (--save-dev )?${name}\n$`).test(stderr);
    if (!isNamed || stderr.split('\n').length !== 2) throw new Error(`${name}: exit code ${code}, ${stderr}`);
  }
}

/** Package managers other than npm, by the package that contains each. */
const MANAGERS: Readonly<Record<string, string>> = { pnpm: 'pnpm@latest', yarn: 'yarn@1' };

/** The first commit from which a separate repository could be served on every engine. */
const EARLIER = '9a85bb08';

/** Starts the library with the package of an earlier commit, and continues with the current one. */
async function tryUpgrade(folder: string, base: string): Promise<void> {
  const checkout = checkoutOf(EARLIER);
  if ('reason' in checkout) {
    process.stdout.write(`NOT TRIED: an upgrade from ${EARLIER}, which is not available here: ${checkout.reason}\n`);
    return;
  }
  const examples = join(checkout.folder, 'tests', 'examples');
  const place = exampleIn(join(folder, 'upgraded'), { name: 'library', base, examples });
  const packages = join(base, 'node_modules');
  mkdirSync(join(place, 'node_modules'));
  for (const name of readdirSync(packages)) {
    if (name !== 'punchboard') symlinkSync(join(packages, name), join(place, 'node_modules', name));
  }
  const folders = { repository: place, earlier: checkout.folder, today: join(packages, 'punchboard') };
  await reported(`library, upgraded from ${EARLIER}`, () =>
    upgrade(folders, exampleOf('library', examples), { env: {}, node: process.execPath }),
  );
}

/**
 * Runs `init` as the package manager would, lets it install and compile everything, and tries the repository. The short form
 * compiles nothing and only tries gen: it finds the project's compiler, and Punchboard finds its dependencies, even where
 * packages only see those that they declare, as with pnpm.
 */
async function tryManager(manager: string, folder: string, archive: string): Promise<void> {
  const place = join(folder, manager);
  mkdirSync(place);
  const program = [process.execPath, join(ROOT, 'dist', 'generator', 'bin.js')] as const;
  await runIn(['init'], place, { program, env: { npm_config_user_agent: `${manager}/1.0.0` } });
  // Punchboard comes from the archive, since the registry does not have this version.
  const manifest = join(place, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/("punchboard": )".*"/, `$1"file:${archive}"`));
  runHere(place, 'npx', '--yes', MANAGERS[manager] ?? '', 'install', ...(LONG ? [] : ['--ignore-scripts']));
  const locks =
    /^COPY package.json (.+) \.\/$/m.exec(readFileSync(join(place, 'Dockerfile'), 'utf8'))?.[1] ?? 'nothing';
  const missing = locks.split(' ').find((path) => !existsSync(join(place, path)));
  if (missing !== undefined) throw new Error(`the Dockerfile copies ${missing}, which ${manager} does not write`);
  if (LONG) return void (await begin(place, { env: {}, node: process.execPath }));
  const { code, stderr } = await runIn(['gen'], place, { program: programIn(place) });
  if (code !== 0) throw new Error(stderr);
}

/** Runs the library on another version of Node, with the driver built for it. */
async function tryNode(wanted: string, folder: string, base: string): Promise<void> {
  const installed = installNode(wanted);
  if ('reason' in installed) {
    process.stdout.write(`NOT TRIED: on Node ${wanted}, which is not available here: ${installed.reason}\n`);
    return;
  }
  const place = join(folder, `node-${wanted}`);
  const other = join(place, 'my-service');
  cpSync(base, other, { recursive: true, verbatimSymlinks: true });
  const driver = join(other, 'node_modules', 'better-sqlite3', 'build');
  rmSync(driver, { recursive: true });
  cpSync(join(installed.driver, 'build'), driver, { recursive: true });
  await reported(`library on Node ${installed.version}`, () => tryExample('library', place, other, installed.node));
  rmSync(place, { recursive: true });
}

async function tryExample(name: string, folder: string, base: string, node = process.execPath): Promise<void> {
  const place = exampleIn(join(folder, name), { name, base });
  symlinkSync(join(base, 'node_modules'), join(place, 'node_modules'));
  const example = exampleOf(name);
  if (example.engine !== 'postgres') return walk(place, example, { env: {}, node });
  const server = await startPostgres();
  try {
    await walk(place, example, { env: { DATABASE: await server.createDatabase() }, node });
  } finally {
    await server.stop();
  }
}

function exampleOf(name: string, examples = HERE): Example {
  return JSON.parse(readFileSync(join(examples, name, 'example.json'), 'utf8')) as Example;
}

/** Copies the example over what `init` wrote in `base`, without packages. @returns the folder */
function exampleIn(
  place: string,
  { name, base, examples = HERE }: { readonly name: string; readonly base: string; readonly examples?: string },
): string {
  const without = ['node_modules', 'spec', 'tests', 'generated', '.punchboard', 'data'].map((path) => join(base, path));
  cpSync(base, place, { recursive: true, filter: (path) => !without.includes(path) });
  for (const part of ['spec', 'tests']) cpSync(join(examples, name, part), join(place, part), { recursive: true });
  const manifest = join(place, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"my-service"', `"${name}"`));
  return place;
}

function runHere(cwd: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

void main();
