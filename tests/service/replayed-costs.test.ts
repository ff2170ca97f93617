// D64: a repeated answer under an idempotency key costs one request, not as much as the records that it once wrote.

import { onPostgres } from '../support/on-postgres.js';
import { shared } from '../support/shared.js';
import { makeWorld } from './world.js';

const LIMIT = 60;
const REPLAYS = 6;
const CARDS = Array.from({ length: 100 }, (_, at) => ({ name: `Card ${at}` }));

function suite(): void {
  const world = shared(() => makeWorld('plain', { rateLimit: LIMIT }));

  /** Statuses of a request and of its repetitions, and the number of different texts. */
  async function repeated(path: string, parameters: object): Promise<readonly [readonly number[], number]> {
    const replies = [];
    for (let sent = 0; sent <= REPLAYS; sent += 1) {
      const headers = { 'idempotency-key': path };
      replies.push(
        await world.send('POST', path, { session: world.owner.session, parameters: { ...parameters }, headers }),
      );
    }
    return [replies.map(({ status }) => status), new Set(replies.map(({ text }) => text)).size];
  }
  const CREATED = [Array.from({ length: REPLAYS + 1 }, () => 201), 1];

  test('a bulk create, and a copy of the created records', async () => {
    const game_id = await world.home('game');
    const parameters = { name: 'Deck', game_id };
    const { body: deck } = await world.send('POST', '/api/deck', { session: world.owner.session, parameters });
    expect(await repeated(`/api/deck/${deck.id}/bulk-cards`, { cards: CARDS })).toEqual(CREATED);
    expect(await repeated(`/api/game/${game_id}/copy`, { name: 'Again' })).toEqual(CREATED);
  });
}

describe('on SQLite', suite);
onPostgres(suite);
