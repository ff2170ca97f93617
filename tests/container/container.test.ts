// The image, tested without a container engine: what the Dockerfile copies exists, and starts on its own.

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { runIn, type Server, serveIn } from '../cli/processes.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { ignored, saying, stages } from './dockerfile.js';
import { copyProject, productionPackages } from './project-copy.js';

const [build = [], image = []] = stages();

test('E: the image has one full version of Node, which the project supports', () => {
  const bases = [build, image].map((stage) => saying(stage, 'FROM')[0] ?? '');
  const versions = bases.map((base) => /^node:(24\.\d+\.\d+)-/.exec(base)?.[1]);
  expect(versions).toEqual([expect.any(String), versions[0]]);
});

test('a linter reports nothing in the Dockerfile', () => {
  expect(validate(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))).toEqual([]);
});

test('E: neither local files nor tests get into the build', () => {
  expect(ignored()).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist', 'data', 'tests']));
});

test('E: data are in a volume, nothing runs as root, and `punchboard` is a command', () => {
  expect(saying(image, 'VOLUME')).toEqual(['/data']);
  expect(image.findIndex(({ word }) => word === 'USER')).toBeGreaterThan(0);
  expect(image.map(({ word }) => word)).not.toContain('ADD');
  const [, target = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/punchboard/.exec(saying(image, 'RUN').join()) ?? [];
  expect(statSync(join(ROOT, target)).mode & 0o111).toBe(0o111);
  expect(readFileSync(join(ROOT, target), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(saying(image, 'CMD')).toEqual(['["punchboard", "serve"]']);
});

test('N46: the image contains the licence text of each library that pages load', () => {
  const pages = join('runtime', 'pages');
  const files = new Set(readdirSync(join(ROOT, pages, 'files')));
  const libraries = readdirSync(join(ROOT, 'dist', pages, 'files')).filter((name) => !files.has(name));
  expect(libraries).toEqual(['handlebars.js', 'htmx.js', 'marked.js', 'uplot.css', 'uplot.js']);
  const texts = libraries.map((name) => readFileSync(join(ROOT, 'dist', pages, 'licenses', `${name}.txt`), 'utf8'));
  expect(texts.filter((text) => !/permission to use|permission is hereby granted/i.test(text))).toEqual([]);
  expect(copiedPaths()).toContain('dist');
  expect(isLeftOut(join('dist', pages, 'licenses'))).toBe(false);
});

describe('E: with only the contents of the image', () => {
  const folder = temporaryFolder('image');
  const program = [process.execPath, join(folder, 'dist', 'generator', 'bin.js')] as const;
  const data = join(folder, 'data');
  const env = { NODE_ENV: 'production', DATABASE: join(data, 'punchboard.db'), FILES: join(data, 'files') };
  let server: Server;

  beforeAll(async () => {
    copyProject(folder, { paths: copiedPaths(), without: isLeftOut, packages: productionPackages(keptPackages()) });
    server = await serveIn(['--port', '0', '--log-level', 'silent'], folder, { env, program });
  });
  afterAll(async () => {
    await server.end();
    rmSync(folder, { recursive: true });
  });

  test('the service responds, users can be created, and its health is reported', async () => {
    expect(existsSync(join(folder, 'dist', 'tests'))).toBe(false);
    expect((await fetch(`${server.address}/openapi.json`)).status).toBe(200);
    const options = { env, program, input: 'correct horse\n' };
    const added = await runIn(['user', 'add', '--username', 'ada', '--password-stdin'], folder, options);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(await health()).toBe(0);
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(await health()).toBe(1);
  });

  /** The exit code of the image's own health check. */
  async function health(): Promise<number | null> {
    const [, command = '[]'] = /CMD (\[.*\])$/.exec(saying(image, 'HEALTHCHECK')[0] ?? '') ?? [];
    const [node, ...args] = JSON.parse(command) as string[];
    expect(node).toBe('node');
    const circumstances = { env: { PORT: new URL(server.address).port }, program: [process.execPath] as const };
    return (await runIn(args, folder, circumstances)).code;
  }
});

/** The project paths that the second stage copies from the first, except packages. */
function copiedPaths(): readonly string[] {
  const sources = saying(image, 'COPY').flatMap((rest) =>
    [...rest.matchAll(/ \/app\/(\S+)(?= )/g)].map(([, path]) => path ?? ''),
  );
  expect(sources).toContain('node_modules');
  // The folder of versions exists once a version is cut; the build creates an empty one.
  expect(sources).toContain('generated/versions');
  return sources.filter((source) => source !== 'node_modules' && existsSync(join(ROOT, source)));
}

/** Packages that only some services need, but every image contains. */
function keptPackages(): readonly string[] {
  const [, listed = ''] = /npm pkg set (.*?) && npm prune --omit=dev/.exec(saying(build, 'RUN').join('\n')) ?? [];
  const names = [...listed.matchAll(/dependencies\[([^\]]+)\]=/g)].map(([, name]) => name ?? '');
  expect(names).toEqual(['pg', '@aws-sdk/client-s3', 'nodemailer']);
  return names;
}

/** The compiled files of ignored sources are not in the build either. */
function isLeftOut(path: string): boolean {
  return ignored().some((pattern) => path === join('dist', pattern));
}
