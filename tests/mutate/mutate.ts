// `npm run mutate:spec`: prints the share of mistakes in descriptors that the generated tests catch, and those that they miss.
import { SPEC } from '../access/project.js';
import { count } from '../support/counts.js';
import { pageSpec } from './page-spec.js';
import { score, share } from './score.js';

/** The same sample every time, unless PUNCHBOARD_SEED selects another. */
const SEED = Number(process.env.PUNCHBOARD_SEED ?? 1);
const LEAST = 0.95;

async function main(): Promise<void> {
  const size = Number(process.argv[2] ?? count(200, Number.POSITIVE_INFINITY));
  await report('the descriptors', SPEC, size);
  await report('the project of spec/README.md', pageSpec(), Math.ceil(size / 2));
}

async function report(subject: string, spec: string, size: number): Promise<void> {
  const started = Date.now();
  const result = await score(size, SEED, (line) => process.stderr.write(`${line}\n`), spec);
  const { all, tried, refused, equivalent, caught, broken, disproved, survivors, probes } = result;
  const percent = (share(result) * 100).toFixed(1);
  process.stdout.write(
    `${tried} of ${all} mutants of ${subject} (seed ${SEED}): ${refused} refused by gen, ${equivalent.length} equivalent, ` +
      `${caught.length} of ${caught.length + survivors.length} others caught: ${percent} % ` +
      `(${broken.length} of them only as the service did not start or a record could not be made)\n` +
      `${probes} probes, ${Math.round((Date.now() - started) / 1000)} s\n` +
      `Equivalent:\n${lines(equivalent)}Called equivalent, and caught:\n${lines(disproved)}` +
      `Caught as something could not be done:\n${lines(broken)}Not caught:\n${lines(survivors)}`,
  );
  if (share(result) < LEAST || disproved.length > 0) process.exitCode = 1;
}

function lines(all: readonly string[]): string {
  return all.length === 0 ? '  none\n' : all.map((one) => `  ${one}\n`).join('');
}

void main();
