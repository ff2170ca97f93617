// `npm run mutate:spec`: prints which share of the slips in descriptors the generated tests catch, and what they miss.
import { count } from '../support/counts.js';
import { score, share } from './score.js';

/** The same ones every time, unless PUNCHBOARD_SEED asks for others. */
const SEED = Number(process.env.PUNCHBOARD_SEED ?? 1);
const LEAST = 0.95;

async function main(): Promise<void> {
  const started = Date.now();
  const size = Number(process.argv[2] ?? count(200, Number.POSITIVE_INFINITY));
  const result = await score(size, SEED, (line) => process.stderr.write(`${line}\n`));
  const { of, run, refused, equivalent, caught, broken, misjudged, survivors, probes } = result;
  const percent = (share(result) * 100).toFixed(1);
  process.stdout.write(
    `${run} of ${of} mutants of the descriptors (seed ${SEED}): ${refused} refused by gen, ${equivalent.length} equivalent, ` +
      `${caught.length} of ${caught.length + survivors.length} others caught: ${percent} % ` +
      `(${broken.length} of them only as the service did not start or a record could not be made)\n` +
      `${probes} probes, ${Math.round((Date.now() - started) / 1000)} s\n` +
      `Equivalent:\n${lines(equivalent)}Called equivalent, and caught:\n${lines(misjudged)}` +
      `Caught as something could not be done:\n${lines(broken)}Not caught:\n${lines(survivors)}`,
  );
  process.exitCode = share(result) < LEAST || misjudged.length > 0 ? 1 : 0;
}

function lines(all: readonly string[]): string {
  return all.length === 0 ? '  none\n' : all.map((one) => `  ${one}\n`).join('');
}

void main();
