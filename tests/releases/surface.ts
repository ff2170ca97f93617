// The surfaces of a spec that spec/promises.md covers: the current output of gen, and the command line.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn } from '../cli/processes.js';

export interface Surface {
  readonly 'openapi.json': string;
  readonly 'schema.json': string;
  readonly 'ledger.json': string;
  readonly 'commands.json': string;
}

/**
 * Throws the diagnostics of gen.
 * @param spec the folder of a release's spec, with functions, which gen compiles
 * @param folder an empty folder
 */
export async function surfaceOf(spec: string, folder: string): Promise<Surface> {
  cpSync(spec, join(folder, 'spec'), { recursive: true });
  const { code, stdout, stderr } = await runIn(['gen', '--spec', 'spec', '--out', 'generated'], folder);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  return {
    'openapi.json': read('generated/openapi.json'),
    'schema.json': read('generated/schema.json').replace(/^ {2}"build": .*\n/m, ''),
    'ledger.json': read('spec/ledger.json'),
    'commands.json': `${JSON.stringify(await commands(folder), null, 2)}\n`,
  };
}

/** The words that may follow each command, such as `user add`: those that a shell completes. */
async function commands(folder: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const { stdout } = await runIn(['completion', 'bash'], folder);
  const cases = [...stdout.matchAll(/^ {4}"(.*)"\*\) words="(.*)" ;;$/gm)];
  return Object.fromEntries(cases.map(([, names = '', words = '']) => [names.trim(), words.split(' ').sort()]));
}

/** Documentation may be reworded. */
const WORDS: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'example', 'examples', 'version']);
/** Limits that may be loosened, upwards or downwards. */
const MAY_RISE: ReadonlySet<string> = new Set(['maxLength', 'maximum', 'maxItems']);
const MAY_FALL: ReadonlySet<string> = new Set(['minLength', 'minimum', 'minItems']);

/** @returns what was removed or narrowed, each as a path with both values; additions are not included */
export function lost(before: unknown, after: unknown, path = ''): readonly string[] {
  const [key = '', above = ''] = path.split('/').reverse();
  // A property or parameter may have such a name.
  if (WORDS.has(key) && above !== 'properties') return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const [from, to] = key === 'required' ? [after, before] : [before, after];
    const isKept = (one: unknown) => to.some((other) => lost(one, other, `${path}/each`).length === 0);
    return from.flatMap((one) => (isKept(one) ? [] : [`${path}: ${JSON.stringify(one)}`]));
  }
  if (isMap(before) && isMap(after)) {
    return Object.entries(before).flatMap(([name, value]) =>
      name in after || (WORDS.has(name) && key !== 'properties')
        ? lost(value, after[name], `${path}/${name}`)
        : [`${path}/${name}: it is gone`],
    );
  }
  if (before === after) return [];
  if (MAY_RISE.has(key) && Number(after) > Number(before)) return [];
  if (MAY_FALL.has(key) && Number(after) < Number(before)) return [];
  return [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
