// Passwords are stored as memory-hard hashes, computed two at a time (D13).

import { scryptSync } from 'node:crypto';
import { createFairQueue, type FairQueue } from '../../runtime/auth/fair-queue.js';
import { createPasswords } from '../../runtime/auth/passwords.js';

const CHEAP = { n: 16, r: 8, p: 1 };

describe('passwords', () => {
  test('the format names scrypt, N, r, p, salt and hash, and anyone can compute it again', async () => {
    const stored = await createPasswords(CHEAP).hash('correct horse');
    const [scheme, n, r, p, salt, hash, ...rest] = stored.split('$');
    expect([scheme, n, r, p, rest.length]).toEqual(['scrypt', '16', '8', '1', 0]);
    const bytes = Buffer.from(salt ?? '', 'base64url');
    expect(bytes.length).toBe(16);
    expect(scryptSync('correct horse', bytes, 32, { N: 16, r: 8, p: 1 }).toString('base64url')).toBe(hash);
  });

  test('the default cost needs 32 MiB', async () => {
    expect(await createPasswords().hash('x')).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  });

  test('the right password is right, others are not', async () => {
    const passwords = createPasswords(CHEAP);
    const stored = await passwords.hash('Grüße');
    expect(await passwords.verify('Grüße', stored)).toBe(true);
    expect(await passwords.verify('Gru\u0308\u00dfe', stored)).toBe(true);
    expect(await passwords.verify('Grusse', stored)).toBe(false);
    expect(await passwords.verify('', stored)).toBe(false);
    expect(await passwords.verify('Grüße', `${stored}x`.replace('scrypt', 'plain'))).toBe(false);
  });

  test('two hashes of one password differ', async () => {
    const passwords = createPasswords(CHEAP);
    expect(await passwords.hash('x')).not.toBe(await passwords.hash('x'));
  });

  test('an unknown user costs one hash of the same cost, and is refused', async () => {
    let jobs = 0;
    const passwords = createPasswords(CHEAP, (_client, job) => {
      jobs += 1;
      return job();
    });
    expect(await passwords.verify('x', null)).toBe(false);
    expect(jobs).toBe(1);
  });
});

describe('fair queue', () => {
  /** Jobs that end when `finish` is called, and the order in which they started. */
  function jobs(queue: FairQueue) {
    const started: string[] = [];
    const finish = new Map<string, (fail?: Error) => void>();
    const add = (client: string, name: string) =>
      queue(client, () => {
        started.push(name);
        return new Promise<string>((resolve, reject) => {
          finish.set(name, (fail) => (fail ? reject(fail) : resolve(name)));
        });
      });
    return { started, add, finish: (name: string, fail?: Error) => finish.get(name)?.(fail) };
  }

  test('runs two, queues the others in order, and continues after a failure', async () => {
    const { started, add, finish } = jobs(createFairQueue({ running: 2, waiting: 10, each: 10 }));
    const all = ['0', '1', '2', '3'].map((name) => add('a', name));
    expect(started).toEqual(['0', '1']);
    finish('1', new Error('broken'));
    await expect(all[1]).rejects.toThrow('broken');
    expect(started).toEqual(['0', '1', '2']);
    finish('0');
    await all[0];
    expect(started).toEqual(['0', '1', '2', '3']);
    finish('2');
    finish('3');
    expect(await Promise.all([all[2], all[3]])).toEqual(['2', '3']);
  });

  test('F21: other clients wait for one job of a flood at a time, not for all of it', async () => {
    const { started, add, finish } = jobs(createFairQueue({ running: 2, waiting: 1000, each: 50 }));
    for (let at = 0; at < 52; at += 1) void add('flood', `f${at}`);
    for (const name of ['o0', 'o1']) void add('other', name);
    void add('third', 't0');
    for (const name of ['f0', 'f1', 'f2', 'o0', 't0']) {
      finish(name);
      await new Promise(setImmediate);
    }
    expect(started).toEqual(['f0', 'f1', 'f2', 'o0', 't0', 'f3', 'o1']);
  });

  test('refuses with unavailable when too many jobs wait, in total or of one client', async () => {
    const queue = createFairQueue({ running: 1, waiting: 2, each: 1 });
    let finish = (): void => undefined;
    const first = queue('a', () => new Promise<void>((resolve) => (finish = resolve)));
    const second = queue('a', async () => undefined);
    const refused = { code: 'unavailable', headers: { 'Retry-After': '1' } };
    await expect(queue('a', async () => undefined)).rejects.toMatchObject(refused);
    const third = queue('b', async () => undefined);
    await expect(queue('c', async () => undefined)).rejects.toMatchObject(refused);
    finish();
    await Promise.all([first, second, third]);
  });
});
