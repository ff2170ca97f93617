// Scripts played in virtual time; the expected results are derived by hand from the rules of the document.

import { simulate } from '../../runtime/admin/simulate/simulate.js';

interface Line {
  readonly time: string;
  readonly type: string;
  readonly delivery: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly count: string;
  readonly next: string;
  readonly consequence: string;
}

async function play(script: unknown): Promise<{ readonly lines: readonly Line[]; readonly end: string }> {
  const text = await simulate(JSON.stringify(script));
  const all = text.trimEnd().split('\n');
  const lines = all.slice(1, -1).map((line) => {
    const [time = '', , type = '', delivery = '', attempt, outcome = '', count = '', next = '', consequence = ''] =
      line.split(/ {2,}/);
    return { time, type, delivery, attempt: Number(attempt), outcome, count, next, consequence };
  });
  return { lines, end: all.at(-1) ?? '' };
}

/** Hours since the start, without seconds. */
function hours(time: string): number {
  const [, days, rest] = /^(\d+)d (\d+)h/.exec(time) ?? [];
  return Number(days) * 24 + Number(rest);
}

const NOW = { at: '0h' };

describe('timeline', () => {
  test('prints a line for each event', async () => {
    expect(await simulate(JSON.stringify({ events: [NOW], answers: [500, 'hang', 200] }))).toBe(
      [
        'TIME              EVENT     TYPE       DELIVERY  ATTEMPT  OUTCOME  COUNT  NEXT              CONSEQUENCE',
        '0d 00h 00m 00.1s  ItemSold  subscribe  #1        1        200      0      delivered',
        '0d 00h 00m 00.2s  ItemSold  data       #2        1        500      1      0d 01h 00m 00.2s',
        '0d 01h 00m 10.2s  ItemSold  data       #2        2        timeout  2      0d 03h 00m 10.2s',
        '0d 03h 00m 10.3s  ItemSold  data       #2        3        200      0      delivered         waiting retries shortened',
        'end at 0d 03h 00m 10.3s; hook of ItemSold: count 0, 0 held; 0 waiting',
        '',
      ].join('\n'),
    );
  });

  test('D63: the format `standard` has the same timeline', async () => {
    const script = { events: [NOW, { at: '1h', test: true }], answers: [500, 'hang', 200] };
    expect(await simulate(JSON.stringify({ ...script, format: 'standard' }))).toBe(
      await simulate(JSON.stringify(script)),
    );
  });

  test('prints JSON', async () => {
    const script = JSON.stringify({ events: [{ at: '0h', burst: 100 }], answers: [500], until: '1m' });
    const { attempts, end } = JSON.parse(await simulate(script, null, 'json'));
    const common = { event: 'ItemSold', attempt: 1, consequences: [] };
    const failed = { ...common, at: 200, type: 'data', outcome: 'status', status: 500 };
    expect(attempts).toHaveLength(101);
    expect([attempts[0], attempts[1], attempts[5], attempts[100]]).toEqual([
      {
        ...{ ...common, at: 100, type: 'subscribe', delivery: 1, outcome: 'success', status: 200 },
        ...{ failures: 0, next: 'delivered', due: null },
      },
      { ...failed, delivery: 2, failures: 1, next: 'retry', due: 3_600_200 },
      {
        ...{ ...failed, at: 600, delivery: 6, failures: 5, next: 'retry', due: 5 * 3_600_000 + 600 },
        consequences: ['mail to the creator'],
      },
      {
        ...{ ...failed, at: 10_100, delivery: 101, failures: 100, next: 'held', due: null },
        consequences: ['retries held'],
      },
    ]);
    expect(end).toEqual({ at: 10_100, hooks: [{ event: 'ItemSold', failures: 100, held: 100 }], waiting: 0 });
  });

  test('S1 S4 one event that always fails is held after 206 days and 6 hours', async () => {
    const { lines, end } = await play({ events: [NOW], answers: [500] });
    const data = lines.filter(({ type }) => type === 'data');
    // 1 + 2 + … + 99 = 4950 hours.
    expect(data).toHaveLength(100);
    expect(data.map(({ time }) => hours(time))).toEqual(Array.from({ length: 100 }, (_, n) => (n * (n + 1)) / 2));
    expect(
      data.filter(({ consequence }) => consequence !== '').map(({ count, consequence }) => [count, consequence]),
    ).toEqual([
      ['5', 'mail to the creator'],
      ['100', 'retries held'],
    ]);
    expect(end).toContain('count 100, 1 held; 0 waiting');
  });

  test('S1 five events in quick succession give the fifth 5 hours', async () => {
    const { lines } = await play({ events: [{ at: '0h', burst: 5 }], answers: [500], until: '30m' });
    const data = lines.filter(({ type }) => type === 'data');
    expect(data.map(({ next }) => hours(next))).toEqual([1, 2, 3, 4, 5]);
  });

  test('S2 S3 a success of another event shortens a waiting retry to an hour after its own failure', async () => {
    const { lines } = await play({
      events: [{ at: '0h', burst: 5 }, { at: '30m' }],
      answers: [{ status: 500, times: 5 }, 200],
    });
    const data = lines.filter(({ type }) => type === 'data');
    expect(data[5]).toMatchObject({ time: '0d 00h 30m 00.1s', count: '0', consequence: 'waiting retries shortened' });
    expect(data.slice(6).map(({ time, outcome }) => [hours(time), outcome])).toEqual(Array(5).fill([1, '200']));
  });

  test('S5 S6 S35 held retries come back one at a time with a successful test', async () => {
    const { lines, end } = await play({
      events: [
        { at: '0h', burst: 103 },
        { at: '400d', test: true },
      ],
      answers: [{ fault: 'refused', times: 103 }, 200],
      until: '500d',
    });
    const after = lines.filter(({ time }) => hours(time) >= 9600);
    expect(lines.filter(({ next }) => next === 'held')).toHaveLength(4);
    expect(after[0]).toMatchObject({ type: 'test', consequence: 'held retries released; waiting retries shortened' });
    expect(after.slice(1)).toHaveLength(103);
    expect(new Set(after.map(({ time }) => time)).size).toBe(104);
    expect(end).toContain('count 0, 0 held; 0 waiting');
  });

  test('S7 one mail is sent although the count reaches 5 twice', async () => {
    const { lines } = await play({
      events: [{ at: '0h', burst: 5 }, { at: '10m' }, { at: '20m', burst: 5 }],
      answers: [{ status: 500, times: 5 }, 200, 500],
      until: '50m',
    });
    expect(lines.filter(({ count }) => count === '5')).toHaveLength(2);
    expect(lines.filter(({ consequence }) => consequence.includes('mail'))).toHaveLength(1);
  });

  test('S9 a thousand refusals delete the hook, with one unsubscribe and nothing after', async () => {
    const { lines, end } = await play({ events: [{ at: '0h', burst: 1200 }, { at: '2d' }], answers: ['refused'] });
    const last = lines.slice(-2);
    expect(last[0]).toMatchObject({ count: '1000', consequence: 'the hook deletes itself', next: 'abandoned' });
    expect(last[1]).toMatchObject({ type: 'unsubscribe', count: '-', next: 'abandoned' });
    expect(lines.filter(({ type }) => type === 'unsubscribe')).toHaveLength(1);
    expect(lines).toHaveLength(1 + 1000 + 1);
    expect(end).toContain('no hook left; 0 waiting');
  });

  test('S10 S11 a failing subscribe counts and is retried', async () => {
    const { lines } = await play({ events: [{ at: '0h' }], answers: [200], subscribe: 503, until: '2h' });
    expect(lines.map(({ type, outcome, count, next }) => [type, outcome, count, next.slice(0, 6)])).toEqual([
      ['subscribe', '503', '1', '0d 01h'],
      ['data', '200', '0', 'delive'],
      ['subscribe', '503', '1', '0d 02h'],
    ]);
  });

  test('S11 a failing test counts and is not retried', async () => {
    const { lines } = await play({ events: [{ at: '0h', test: true }], answers: [500] });
    expect(lines.filter(({ type }) => type === 'test')).toMatchObject([{ count: '1', next: 'abandoned' }]);
  });

  test.each(['hang', 'refused', 'reset', 'redirect', 'dns', 'tls', 'garbage', 'blocked', 201, 301, 404, 410, 429, 500])(
    'S16 S17 %p is a failure',
    async (answer) => {
      const { lines } = await play({ events: [NOW], answers: [answer, 200] });
      expect(lines.slice(1).map(({ count }) => count)).toEqual(['1', '0']);
    },
  );

  test('S19 an error of the service itself is not counted', async () => {
    const { lines } = await play({ events: [NOW], answers: [{ fault: 'own_fault', times: 3 }, 200] });
    expect(lines.slice(1).map(({ attempt, count }) => [attempt, count])).toEqual([
      [1, '-'],
      [1, '-'],
      [1, '-'],
      [1, '0'],
    ]);
  });

  test('the same script gives the same lines', async () => {
    const script = JSON.stringify({ events: [{ at: '0h', burst: 20 }], answers: [500, 'hang', 200, 500] });
    expect(await simulate(script)).toBe(await simulate(script));
  });

  test('two events use two hooks', async () => {
    const { end } = await play({ events: [NOW, { at: '0h', event: 'ReceiptShipped' }], answers: [500], until: '30m' });
    expect(end).toContain('hook of ItemSold: count 1');
    expect(end).toContain('hook of ReceiptShipped: count 1');
  });
});

describe('script errors', () => {
  const events = [NOW];
  const answers = [200];

  test.each([
    ['{', /^script: not JSON: /],
    [[], 'script: expected an object, found []'],
    [{ events }, 'answers: expected a list with at least one entry, found nothing'],
    [{ answers }, 'events: expected a list with at least one entry, found nothing'],
    [{ events: [], answers }, 'events: expected a list with at least one entry, found []'],
    [{ events, answers, format: 'xml' }, 'format: expected one of form, standard, found "xml"'],
    [
      { events, answers, anwsers: [] },
      'script: unknown key anwsers: it can have events, answers, subscribe, format, until',
    ],
    [{ events: [3], answers }, 'events[0]: expected an object, found 3'],
    [{ events: [NOW, { at: 3 }], answers }, /^events\[1\]\.at: expected a time such as "90s", "12h" or "3d"/],
    [{ events: [{ at: '9999d' }], answers }, /^events\[0\]\.at: expected a time .*found "9999d"/],
    [{ events: [{ at: '-1h' }], answers }, /^events\[0\]\.at: /],
    [
      { events: [{ event: 'Sold' }], answers },
      'events[0].event: expected one of ItemSold, ReceiptRefunded, ReceiptShipped, found "Sold"',
    ],
    [{ events: [{ burst: 0 }], answers }, 'events[0].burst: expected a whole number from 1 to 10000, found 0'],
    [{ events: [{ test: 1 }], answers }, 'events[0].test: expected true or false, found 1'],
    [{ events: [{ test: true, burst: 2 }], answers }, 'events[0].burst: expected no burst beside a test, found 2'],
    [{ events, answers: [99] }, 'answers[0]: expected a status from 200 to 599, found 99'],
    [
      { events, answers: [200, 'hangs'] },
      /^answers\[1\]: expected a status or one of hang, refused, .*, found "hangs"$/,
    ],
    [{ events, answers: ['constructor'] }, /^answers\[0\]: expected a status or one of/],
    [{ events, answers: [{ times: 2 }] }, 'answers[0]: expected either status or fault, found {"times":2}'],
    [{ events, answers: [{ status: 500, fault: 'hang' }] }, /^answers\[0\]: expected either status or fault/],
    [
      { events, answers: [{ status: 500, times: 1.5 }] },
      'answers[0].times: expected a whole number from 1 to 1000000, found 1.5',
    ],
    [{ events, answers: [200, 'own_fault'] }, /^answers\[1\]: expected an answer other than own_fault/],
    [{ events, answers, until: 'x' }, /^until: expected a time/],
    [{ events, answers, subscribe: 'x' }, /^subscribe: expected a status or one of/],
  ])('%j', async (script, message) => {
    const text = typeof script === 'string' ? script : JSON.stringify(script);
    await expect(simulate(text)).rejects.toThrow(message);
  });
});
