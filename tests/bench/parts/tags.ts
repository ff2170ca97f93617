// How much processor time a tag costs an update: the same update with and without If-Match, in turns within one process.

import { clientOf } from '../../support/client.js';
import { startService } from '../../support/service.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { ratio } from '../tables.js';

/** There are many turns, because the garbage collector runs in some of them and not in others. */
const TURNS_OF_A_SLICE = 4;

export async function* tags(_folder: string, { turns, slice, warmUp }: Extent): AsyncIterable<BenchResult> {
  const service = await startService();
  try {
    const works = await updatesOf(service);
    const rows: [string, number, number][] = [];
    for (const [what, work] of Object.entries(works)) {
      await during(warmUp, work, false);
      await during(warmUp, work, true);
      const costs: [number[], number[]] = [[], []];
      for (let turn = 0; turn < turns * TURNS_OF_A_SLICE; turn++) {
        for (const isTagged of [false, true]) costs[isTagged ? 1 : 0].push(await during(slice, work, isTagged));
      }
      rows.push([what, median(costs[0]), median(costs[1])]);
    }
    yield {
      name: 'tags',
      note: 'update of a game; microseconds of a processor, the median of turns; over HTTP with those of the client, which is in the same process',
      table: [
        ['', 'without a tag', 'with its tag', 'ratio'],
        ...rows.map(([what, without, tagged]) => [what, without.toFixed(1), tagged.toFixed(1), ratio(tagged, without)]),
      ],
      reached: { 'update with its tag: processor time, of that without': (rows[0]?.[2] ?? 0) / (rows[0]?.[1] ?? 1) },
    };
  } finally {
    await service.stop();
  }
}

type Update = (isTagged: boolean) => Promise<void>;

/** The update as an operation, without HTTP, and over it. */
async function updatesOf(service: Awaited<ReturnType<typeof startService>>): Promise<Readonly<Record<string, Update>>> {
  const { id: user, session } = await service.user('ada');
  const send = clientOf(service.address);
  const make = async (type: string, parameters: Readonly<Record<string, unknown>>) =>
    String((await send('POST', `/api/${type}`, { session, parameters })).body.id);
  const game = await make('game', { name: 'Dawn', designer_id: await make('designer', { name: 'Ada Games' }) });
  const { operations, definitions } = service.service;
  const definition = definitions.find(({ name }) => name === 'game');
  if (definition === undefined) throw new Error('there are no games');
  const call = { definition, id: game, name: '', caller: { user, admin: false }, upload: null };
  let [version, at] = [1, 0];
  const changed = () => ({ name: `Dawn ${at++}` });
  return {
    operation: async (isTagged) => {
      const conditions = isTagged ? { conditions: { match: [version] } } : {};
      const answer = await operations.update({ ...call, parameters: changed(), now: Date.now(), ...conditions });
      version = answer.version ?? 0;
    },
    'over HTTP': async (isTagged) => {
      const headers = isTagged ? { 'if-match': `"${version}"` } : {};
      const answer = await send('PUT', `/api/game/${game}`, { session, parameters: changed(), headers });
      if (answer.status !== 200) throw new Error(answer.text);
      version = Number(answer.headers.get('etag')?.slice(1, -1));
    },
  };
}

/** @returns microseconds of processor time per update */
async function during(milliseconds: number, work: Update, isTagged: boolean): Promise<number> {
  const [before, end] = [process.cpuUsage(), performance.now() + milliseconds];
  let updates = 0;
  for (; performance.now() < end || updates === 0; updates++) await work(isTagged);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / updates;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
