// Conveniences of the command: completion in shells, settings and secrets from files, a readable log.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readableLine } from '../../runtime/http/readable-log.js';
import { temporaryFolder } from '../support/paths.js';
import { OURS, runIn, serveIn } from './processes.js';

describe('completion', () => {
  let folder: string;
  let script: string;
  beforeAll(async () => {
    folder = temporaryFolder('completion');
    const below = join(folder, 'spec', 'resources');
    mkdirSync(below, { recursive: true });
    // The last one would run a command if it were completed.
    for (const name of ['album', 'artist', 'song', '$(touch planted)']) writeFileSync(join(below, `${name}.yaml`), '');
    script = (await runIn(['completion', 'bash'], folder)).stdout;
  });
  const complete = (...words: readonly string[]): readonly string[] => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(punchboard ${typed}); COMP_CWORD=${words.length}; _punchboard; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${ask}`], {
      encoding: 'utf8',
      cwd: folder,
    });
    expect(stderr).toBe('');
    return stdout.trim().split(' ');
  };

  test('in bash: commands, their commands, and options', () => {
    expect(complete('')).toEqual(expect.arrayContaining(['gen', 'serve', 'user', 'webhooks', 'backup', '--version']));
    expect(complete('user', 'd')).toEqual(['disable']);
    expect(complete('webhooks', 'retry', 'anid', '--si')).toEqual(['--since']);
    expect(complete('serve', '--webhook-h')).toEqual(['--webhook-history-days']);
    // `list` is the beginning of `listen`.
    expect(complete('listen', '--an')).toEqual(['--answer']);
  });

  test('in bash: values of options and arguments, and names of resources', () => {
    const cases: readonly (readonly [words: readonly string[], values: readonly string[]])[] = [
      [
        ['serve', '--wire', ''],
        ['plain', 'wing'],
      ],
      [['serve', '--port', '1', '--wire', 'w'], ['wing']],
      [
        ['serve', '--wire', '='],
        ['plain', 'wing'],
      ],
      [['serve', '--wire', '=', 'pl'], ['plain']],
      [['gen', '--format', 's'], ['sarif']],
      [
        ['webhooks', 'list', '--format', ''],
        ['text', 'json'],
      ],
      [['webhooks', 'deliveries', 'anid', '--state', 'de'], ['delivered']],
      [['completion', 'z'], ['zsh']],
      [['list', 'al'], ['album']],
      [
        ['new', 'record', '--like', ''],
        ['album', 'artist', 'song'],
      ],
      [['test', 'album', 's'], ['song']],
      [
        ['new', 'record', '--like', 'a'],
        ['album', 'artist'],
      ],
      // The shell offers files itself.
      [['serve', '--database', ''], ['']],
    ];
    for (const [words, values] of cases) expect([words, complete(...words)]).toEqual([words, values]);
    expect(existsSync(join(folder, 'planted'))).toBe(false);
    const outside = spawnSync('bash', ['--norc', '-c', `${script}\n_punchboard_resources`], { cwd: tmpdir() });
    expect(String(outside.stdout)).toBe('');
  });

  test('for zsh and fish; another shell is wrong usage', async () => {
    expect((await runIn(['completion', 'zsh'], folder)).stdout).toMatch(/bashcompinit/);
    const { stdout: fish } = await runIn(['completion', 'fish'], folder);
    for (const line of [
      /^complete -c punchboard -n '__fish_seen_subcommand_from user' -f -a disable -d '.*'$/m,
      /^complete -c punchboard -n '__fish_seen_subcommand_from serve' -l wire -x -a 'plain wing'$/m,
      /^complete -c punchboard -n '__fish_seen_subcommand_from serve' -l database -r$/m,
      /^complete -c punchboard -n '__fish_seen_subcommand_from test' -f -a '\(__punchboard_resources\)'$/m,
    ])
      expect(fish).toMatch(line);
    expect((await runIn(['completion', 'tcsh'], folder)).code).toBe(2);
  });
});

describe('settings from files', () => {
  test('a secret from a file, and settings from .env that are not set', async () => {
    const folder = temporaryFolder('settings');
    writeFileSync(join(folder, 'token'), 'a token from a file\n');
    writeFileSync(join(folder, '.env'), 'DATABASE=from-env.db\nFILES=files\nPORT=1\nMETRICS_TOKEN_FILE=token\n');
    const server = await serveIn(['--log-level', 'error'], folder, { env: { ...OURS, PORT: '0' } });
    const metrics = (token: string) =>
      fetch(`${server.address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect((await metrics('a token from a file')).status).toBe(200);
    expect((await metrics('another')).status).toBe(404);
    await server.end();
  });

  test('a file that cannot be read, or is empty, is wrong usage', async () => {
    const folder = temporaryFolder('settings');
    writeFileSync(join(folder, 'empty'), '\n');
    for (const [file, pattern] of [
      ['none', /SMTP_URL_FILE: none cannot be read \(ENOENT\)/],
      ['empty', /is empty/],
    ] as const) {
      const { code, stderr } = await runIn(['serve'], folder, { env: { ...OURS, SMTP_URL_FILE: file } });
      expect([code, stderr]).toEqual([2, expect.stringMatching(pattern)]);
    }
  });
});

test('N45: a .env that cannot be read is named in one line', async () => {
  const folder = temporaryFolder('settings');
  mkdirSync(join(folder, '.env'));
  const { code, stderr } = await runIn(['user', 'list'], folder, { env: OURS });
  expect([code, stderr]).toEqual([2, 'error: .env cannot be read (EISDIR)\n']);
});

describe('the log on a terminal', () => {
  test.each([
    [
      '{"level":30,"time":1700000000123,"msg":"a worker has started","pid":7}',
      '22:13:20.123 info  a worker has started pid=7\n',
    ],
    [
      '{"level":30,"time":1700000000123,"request_id":"r1","method":"GET","route":"/api/game/:id","id":"g1","status":200,"ms":3.042,"msg":"request"}\n',
      '22:13:20.123 info  GET /api/game/:id 200 3 ms id=g1 request_id=r1\n',
    ],
    [
      '{"level":30,"time":1700000000123,"request_id":"r1","traceparent":"t1","method":"POST","route":"/api/game","status":503,"ms":1234.5,"msg":"request"}\n',
      '22:13:20.123 info  POST /api/game 503 1235 ms traceparent=t1 request_id=r1\n',
    ],
    [
      '{"level":50,"time":0,"err":{"stack":"Error: x\\n    at y"},"msg":"failed"}',
      '00:00:00.000 error failed\n  Error: x\n      at y\n',
    ],
    ['not JSON\n', 'not JSON\n'],
  ])('%s', (line, shown) => expect(readableLine(line)).toBe(shown));
});
