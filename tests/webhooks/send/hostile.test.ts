// Must hold: every hostile receiver is survived, with the outcome it deserves and in bounded memory.

import { ANSWER_BYTES, type Outcome } from '../../../runtime/rules/delivery.js';
import { count } from '../../support/counts.js';
import { answering, OK, startReceiver } from '../receiver.js';
import { makeCertificates } from './certificates.js';
import { HOSTILE, hostileTls, NO_TLS } from './hostile-receivers.js';
import { type Report, startSending } from './sending-process.js';

const ATTEMPTS = count(32, 400);
const BATCH = 16;
/** Deadlines in milliseconds; the short one is for receivers that never end an attempt. */
const SHORT = 150;
const LONG = 20_000;
/** Megabytes above the process after polite receivers. One 50 MB body in memory per attempt under way would be 800. */
const PEAK_GROWTH = 192;
/** Megabytes in use at the end above those at the start: nothing is kept of an attempt. */
const REST_GROWTH = 8;
/** Bytes that a receiver may send in one attempt; the system's socket buffers take most of them. */
const TAKEN = 12 * 1024 * 1024;

const certificates = makeCertificates();
const sending = startSending();
const PLAIN = HOSTILE.map((hostile) => ({ ...hostile, scheme: 'http' }));
const SECURE = [...hostileTls(certificates), ...NO_TLS].map((hostile) => ({ ...hostile, scheme: 'https' }));

const reports: Report[] = [];
let start: Report;

function attack(uri: string, deadline: number): Promise<Report> {
  return sending.run({ uri, deadline, attempts: ATTEMPTS, batch: BATCH, authorities: certificates.authority });
}

beforeAll(async () => {
  for (const [scheme, tls] of [['http'], ['https', certificates.good]] as const) {
    const receiver = await startReceiver(answering(OK), tls);
    start = await attack(`${scheme}://localhost:${receiver.port}/`, LONG);
    await receiver.close();
  }
});
afterAll(() => sending.stop());

describe.each([...PLAIN, ...SECURE])('hostile receiver', (hostile) => {
  test(hostile.name, async () => {
    const receiver = await startReceiver(hostile.behaviour, hostile.tls);
    try {
      const report = await attack(`${hostile.scheme}://localhost:${receiver.port}/`, hostile.lasts ? SHORT : LONG);
      reports.push(report);
      expect(report.outcomes.map(withoutAnswer)).toEqual(report.outcomes.map(() => hostile.outcome));
      for (const outcome of report.outcomes) expect(answerOf(outcome).length).toBeLessThanOrEqual(ANSWER_BYTES);
      // Redirects are not followed, failures are not repeated.
      expect(receiver.connections()).toBeLessThanOrEqual(ATTEMPTS);
      expect(receiver.sent() / ATTEMPTS).toBeLessThan(TAKEN);
    } finally {
      await receiver.close();
    }
  });
});

test('memory is bounded', () => {
  const attempts = reports.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const peak = Math.max(...reports.map((report) => report.peak)) - start.peak;
  const rest = (reports.at(-1)?.rest ?? Number.NaN) - start.rest;
  console.log(`${attempts} attempts: ${peak.toFixed(1)} MB at most above the start, ${rest.toFixed(1)} MB at the end`);
  expect(attempts).toBeGreaterThanOrEqual(1_000);
  expect(peak).toBeLessThan(PEAK_GROWTH);
  expect(rest).toBeLessThan(REST_GROWTH);
});

function answerOf(outcome: Outcome): string {
  return ('answer' in outcome && outcome.answer) || '';
}

function withoutAnswer(outcome: Outcome): Outcome {
  const { answer, ...rest } = { answer: undefined, ...outcome };
  return rest;
}
