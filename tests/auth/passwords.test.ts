// Passwords are kept as memory-hard hashes, two at a time (D13).

import { scryptSync } from 'node:crypto';
import { atMost } from '../../runtime/auth/at-most.js';
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
    const passwords = createPasswords(CHEAP, (job) => {
      jobs += 1;
      return job();
    });
    expect(await passwords.verify('x', null)).toBe(false);
    expect(jobs).toBe(1);
  });
});

describe('atMost', () => {
  test('runs two, keeps the others waiting in order, and goes on after a failure', async () => {
    const door = atMost(2, 10);
    const started: number[] = [];
    const finish: ((fail: boolean) => void)[] = [];
    const jobs = [0, 1, 2, 3].map((number) =>
      door(() => {
        started.push(number);
        return new Promise<number>((resolve, reject) => {
          finish[number] = (fail) => (fail ? reject(new Error('broken')) : resolve(number));
        });
      }),
    );
    expect(started).toEqual([0, 1]);
    finish[1]?.(true);
    await expect(jobs[1]).rejects.toThrow('broken');
    expect(started).toEqual([0, 1, 2]);
    finish[0]?.(false);
    await jobs[0];
    expect(started).toEqual([0, 1, 2, 3]);
    finish[2]?.(false);
    finish[3]?.(false);
    expect(await Promise.all([jobs[2], jobs[3]])).toEqual([2, 3]);
  });

  test('refuses with unavailable when too many wait', async () => {
    const door = atMost(1, 1);
    let finish = (): void => undefined;
    const first = door(() => new Promise<void>((resolve) => (finish = resolve)));
    const second = door(async () => undefined);
    await expect(door(async () => undefined)).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'Retry-After': '1' },
    });
    finish();
    await Promise.all([first, second]);
  });
});
