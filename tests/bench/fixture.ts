// The data of the measured servers: a game with many box tops, another one to be filled, and a session of their owner.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService } from '../../runtime/server/open-service.js';

const RECORDS = 1000;
/** The password of every user. */
export const PASSWORD = 'correct horse';

export interface BenchFixture {
  readonly options: readonly string[];
  readonly database: string;
  readonly username: string;
  readonly session: string;
  readonly game: string;
  readonly ids: readonly string[];
  /** A game with one box top, in which records are created and deleted, so that the lists of the first game keep their length. */
  readonly spare: { readonly game: string; readonly id: string };
}

interface DatabasePlace {
  /** A database without this user. */
  readonly database: string;
  readonly username?: string;
  /** The number of box tops of the first game. */
  readonly records?: number;
  /** The folder for files. */
  readonly folder: string;
  /** Output folder of gen; the project's own by default. */
  readonly generated?: string;
}

export async function fill({ database, folder, generated, ...more }: DatabasePlace): Promise<BenchFixture> {
  const { username = 'bench', records = RECORDS } = more;
  const now = Date.now();
  const service = await openService(
    { database, wire: 'plain', generated: generated ?? null, owner: true, random: randomBytes },
    now,
  );
  const text = await addUser(service, { username, password: PASSWORD, admin: false }, now);
  const user = (JSON.parse(text) as { id: string }).id;
  const create = async (resource: string, parameters: Readonly<Record<string, unknown>>): Promise<string> => {
    const definition = service.definitions.find(({ name }) => name === resource);
    if (definition === undefined) throw new Error(`unknown resource ${resource}`);
    const caller = { user, admin: false };
    const call = { definition, id: '', name: '', parameters, caller, now, upload: null };
    return (JSON.parse((await service.operations.create(call)).body) as { id: string }).id;
  };
  const designer = await create('designer', { name: 'Bench' });
  const [game, other] = [
    await create('game', { name: 'Bench', designer_id: designer }),
    await create('game', { name: 'Spare', designer_id: designer }),
  ];
  const top = (at: number, of: string): Promise<string> => create('boxtop', { name: `Box ${at}`, game_id: of });
  const ids = await Promise.all(Array.from({ length: records }, (_, at) => top(at, game)));
  const spare = { game: other, id: await top(0, other) };
  const { id: session } = await service.login({ username, password: PASSWORD }, { address: '', now });
  await service.engine.close();
  const options = ['--database', database, '--files', join(folder, 'files'), '--rate-limit', '0'];
  return { options, database, username, session, game, ids, spare };
}
