// What makes the command comfortable: completion in shells, settings and secrets from files, a log for people.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readableLine } from '../../runtime/http/readable-log.js';
import { temporaryFolder } from '../support/paths.js';
import { OURS, runIn, serveIn } from './processes.js';

describe('completion', () => {
  const complete = (script: string, ...words: readonly string[]): readonly string[] => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(punchboard ${typed}); COMP_CWORD=${words.length}; _punchboard; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${ask}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split(' ');
  };

  test('in bash: commands, their commands, and options', async () => {
    const { code, stdout: script } = await runIn(['completion', 'bash'], temporaryFolder('completion'));
    expect(code).toBe(0);
    expect(complete(script, '')).toEqual(
      expect.arrayContaining(['gen', 'serve', 'user', 'webhooks', 'backup', '--version']),
    );
    expect(complete(script, 'user', 'd')).toEqual(['disable']);
    expect(complete(script, 'webhooks', 'retry', 'anid', '--si')).toEqual(['--since']);
    expect(complete(script, 'serve', '--webhook-h')).toEqual(['--webhook-history-days']);
  });

  test('for zsh and fish; another shell is wrong usage', async () => {
    const folder = temporaryFolder('completion');
    expect((await runIn(['completion', 'zsh'], folder)).stdout).toMatch(/bashcompinit/);
    expect((await runIn(['completion', 'fish'], folder)).stdout).toMatch(
      /^complete -c punchboard -n '__fish_seen_subcommand_from user' -f -a disable -d '.*'$/m,
    );
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
    server.process.kill('SIGKILL');
    await server.ended;
  });

  test('a file that cannot be read, or is empty, is wrong usage', async () => {
    const folder = temporaryFolder('settings');
    writeFileSync(join(folder, 'empty'), '\n');
    for (const [file, said] of [
      ['none', /SMTP_URL_FILE: none cannot be read \(ENOENT\)/],
      ['empty', /is empty/],
    ] as const) {
      const { code, stderr } = await runIn(['serve'], folder, { env: { ...OURS, SMTP_URL_FILE: file } });
      expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
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
      '{"level":30,"time":1700000000123,"method":"GET","status":200,"msg":"request"}',
      '22:13:20.123 info  request method=GET status=200\n',
    ],
    [
      '{"level":50,"time":0,"err":{"stack":"Error: x\\n    at y"},"msg":"failed"}',
      '00:00:00.000 error failed\n  Error: x\n      at y\n',
    ],
    ['not JSON\n', 'not JSON\n'],
  ])('%s', (line, shown) => expect(readableLine(line)).toBe(shown));
});
