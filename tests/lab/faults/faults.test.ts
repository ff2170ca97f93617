// Each place at which the program calls the system fails once, on both engines, with one process and with two: a sample of the
// places, or all of them with PUNCHBOARD_LONG=1. PUNCHBOARD_SEED=N tries another sample, PUNCHBOARD_PLACE=text only places
// that contain the text, to continue a long run or to repeat a finding.

import { join } from 'node:path';
import { chanceOf } from '../../support/chance.js';
import { count } from '../../support/counts.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../../support/postgres.js';
import { ACCESS_KEY, type S3Server, startS3 } from '../../support/s3-server.js';
import { type Experiment, experiment, type Fault, type Outcome } from './lab.js';
import { hasCompiler, nativeExperiment } from './native.js';
import { startExperiment } from './starts.js';
import type { Places } from './world.js';

const SEED = Number(process.env.PUNCHBOARD_SEED ?? 1);
const WANTED = process.env.PUNCHBOARD_PLACE ?? '';
const ALL = Number.MAX_SAFE_INTEGER;
/** Credentials of the bucket. */
const ENV = { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: 'secret', AWS_EC2_METADATA_DISABLED: 'true' };
const TIME = count(300_000, 3_600_000);

async function trial(places: Places, sample: Experiment['sample'], more: Partial<Experiment> = {}): Promise<Outcome> {
  const isWanted = ({ place }: Fault): boolean => place.includes(WANTED);
  const outcome = await experiment(places, { sample, chance: chanceOf(SEED), env: ENV, isWanted, ...more });
  const { findings, failed, places: all } = outcome;
  console.log(`${failed} of ${all} places failed, ${findings.length} findings, PUNCHBOARD_SEED=${SEED}`);
  return outcome;
}

const isLong = count(0, 1) === 1;
const USUAL_SAMPLE = count(2, ALL);
const FIRST_SAMPLE = count(1, ALL);

test.each(isLong ? [1, 2] : [1])(
  'on SQLite with a folder, %p processes',
  async (processes) => {
    const { findings, failed } = await trial({ processes }, { usual: USUAL_SAMPLE, first: FIRST_SAMPLE });
    expect([findings, failed > 0]).toEqual([[], true]);
  },
  TIME,
);

async function runStarts(places: Places): Promise<Outcome> {
  const outcome = await startExperiment(places, { sample: count(1, ALL), chance: chanceOf(SEED), env: ENV });
  console.log(`${outcome.failed} of ${outcome.places} places of a start failed, ${outcome.findings.length} findings`);
  return outcome;
}

test.each(isLong ? [1, 2] : [2])(
  'while a server on SQLite starts, %p processes',
  async (processes) => {
    const { findings, failed } = await runStarts({ processes });
    expect([findings, failed > 0]).toEqual([[], true]);
  },
  TIME,
);

(hasPostgres ? describe : describe.skip)('on PostgreSQL with a bucket', () => {
  let postgres: TestPostgres;
  let bucket: S3Server;
  beforeAll(async () => {
    [postgres, bucket] = await Promise.all([startPostgres(), startS3()]);
  });
  afterAll(() => Promise.all([postgres.stop(), bucket.stop()]));

  test.each(isLong ? [1, 2] : [2])(
    '%p processes',
    async (processes) => {
      const database = await postgres.createDatabase();
      const places = { database, files: bucket.address(), processes };
      const { findings, failed } = await trial(places, { usual: count(2, ALL), first: count(0, ALL) });
      expect([findings, failed > 0]).toEqual([[], true]);
    },
    TIME,
  );

  (isLong ? test : test.skip)(
    'while it starts',
    async () => {
      const places = { database: await postgres.createDatabase(), files: bucket.address(), processes: 2 };
      const { findings, failed } = await runStarts(places);
      expect([findings, failed > 0]).toEqual([[], true]);
    },
    TIME,
  );
});

(isLong && hasCompiler ? describe : describe.skip)('calls that SQLite makes itself', () => {
  test.each([1, 2])(
    '%p processes',
    async (processes) => {
      const { findings, failed } = await nativeExperiment(processes, 150, chanceOf(SEED));
      console.log(`${failed} native calls failed, ${findings.length} findings, PUNCHBOARD_SEED=${SEED}`);
      expect([findings, failed > 0]).toEqual([[], true]);
    },
    TIME,
  );

  test(
    'writes that are acknowledged before they are committed are detected (null control)',
    async () => {
      const planted = [join(__dirname, '..', '..', 'crash', 'early-commit.js')];
      expect((await nativeExperiment(1, 5, chanceOf(SEED), planted)).findings.join('\n')).toMatch(/instead of/);
    },
    TIME,
  );
});

test(
  'an upload that is acknowledged although its bytes could not be stored is detected (null control)',
  async () => {
    const { findings } = await trial(
      {},
      { usual: 1, first: 0 },
      {
        clock: false,
        features: ['a file that is there once'],
        planted: [join(__dirname, 'early-rename.js')],
        isWanted: ({ place }) => place.startsWith('rename dist/runtime/files/folder.js'),
      },
    );
    expect(findings.join('\n')).toMatch(/^rename .*: answers 201 500/m);
  },
  TIME,
);
