// The records that a deletion removes are counted beforehand, however deep, on every engine.

import type { Input } from '../../runtime/contract/definition.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import type { Caller } from '../../runtime/store/records.js';
import { ADMIN, as, change } from '../store/setup.js';
import { describeOnEngines } from './records-fixture.js';

describeOnEngines('what is deleted with a record', (open) => {
  test('P06: are counted by resource, all of them and no others, and are deleted afterwards', async () => {
    const { generated, schema } = loadGenerated(null);
    const { records, end } = await open({ definitions: generated.definitions, schema });
    const create = async (name: string, caller: Caller, input: Input) =>
      (await records.create(change(name, caller, input))).id;
    const ada = await create('user', ADMIN, { username: 'ada', password: 'hash of a password' });
    const designer = await create('designer', as(ada), { name: 'Games' });
    const [game, other] = [
      await create('game', as(ada), { name: 'Dawn', designer_id: designer }),
      await create('game', as(ada), { name: 'Dusk', designer_id: designer }),
    ];
    const inside: string[] = [];
    for (const to of [game, other]) {
      const deck = await create('deck', as(ada), { name: 'Deck', game_id: to });
      for (const name of ['a', 'b', 'c']) inside.push(await create('card', as(ada), { name, deck_id: deck }));
    }
    await create('boxtop', as(ada), { name: 'Box', game_id: game });
    expect(sorted(await records.removedWith('game', game))).toEqual(['boxtop 1', 'card 3', 'deck 1']);
    expect(sorted(await records.removedWith('card', inside[0] ?? ''))).toEqual([]);
    await records.remove('game', game, { caller: as(ada), now: 9 });
    const read = await Promise.all(inside.map((id) => records.get('card', id, ADMIN)));
    expect(read.map(({ found }) => found)).toEqual([false, false, false, true, true, true]);
    await end();
  });
});

function sorted(counts: readonly { readonly resource: string; readonly count: number }[]): readonly string[] {
  return counts.map(({ resource, count }) => `${resource} ${count}`).sort();
}
