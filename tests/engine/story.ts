// A story with the project's own resources: the same requests for every engine, and their answers in order.
import type { Input, Upload } from '../../runtime/contract/definition.js';
import { ServiceError } from '../../runtime/contract/errors.js';
import type { Caller, Page, Records, RequestedRelations } from '../../runtime/store/records.js';
import { ADMIN, ANYONE, as, FIRST_PAGE, NOW } from '../store/setup.js';

const PAGE = { ...FIRST_PAGE, size: 3, maxBytes: 100_000 };
const ALL: RequestedRelations = {
  objects: ['user', 'designer', 'game', 'set', 'booklet', 'file', 'folder', 'api_key'],
  links: true,
};

type Tell = ReturnType<typeof teller>;

function teller(records: Records) {
  const answers: unknown[] = [];
  const noted = async <T>(work: () => T | Promise<T>): Promise<T | null> => {
    try {
      const answer = await work();
      answers.push(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      answers.push([error.code, error.message, error.failures]);
      return null;
    }
  };
  let now = NOW;
  const change = (resource: string, caller: Caller, input: Input, upload: Upload | null = null) => {
    now += 1000;
    return { resource, caller, input, failures: [], now, upload };
  };
  return {
    answers,
    async found(resource: string, columns: readonly string[], text: string): Promise<void> {
      const { ids } = (await noted(() => records.find(resource, { text, columns, limit: 2 }))) ?? { ids: [] };
      await noted(async () => (await records.texts(resource, columns, ids)).length);
    },
    create: async (resource: string, caller: Caller, input: Input, upload?: Upload) =>
      (await noted(() => records.create(change(resource, caller, input, upload))))?.id ?? '',
    update: (resource: string, id: string, caller: Caller, input: Input) =>
      noted(() => records.update(id, change(resource, caller, input))),
    copy: (id: string, caller: Caller) =>
      noted(
        async () =>
          (await records.copy('game', id, { name: 'copy', caller, input: { name: 'Dusk' }, failures: [], now: now++ }))
            .id.length,
      ),
    async remove(resource: string, id: string, caller: Caller): Promise<void> {
      await noted(() => records.removedWith(resource, id));
      await noted(() => records.remove(resource, id, { caller, now }));
    },
    act: (id: string, name: string, caller: Caller, input: Input = {}) =>
      noted(() => records.act('receipt', id, { name, caller, input, failures: [], now: now++ })),
    async seen(resource: string, id: string, callers: readonly Caller[]): Promise<void> {
      for (const caller of callers) {
        await noted(() => records.get(resource, id, caller));
        await noted(() => records.get(resource, id, caller, ALL));
      }
    },
    used: (resource: string, id: string, caller: Caller) =>
      noted(() => records.uses(resource, { ...PAGE, parent: null, list: '' }, id, caller)),
    async listed(
      parent: string | null,
      list: string,
      resource: string,
      id: string,
      part: Partial<Page> = {},
    ): Promise<void> {
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const page: Page = { ...PAGE, ...part, parent, list, cursor };
        cursor =
          (await noted(() => records.list(resource, page, id, part.number === 2 ? ADMIN : ANYONE)))?.cursor ?? null;
      }
    },
  };
}

function picture(hash: string): Upload {
  return { name: 'face.png', type: 'image/png', size: 321, width: 825, height: 1125, hash: hash.repeat(64) };
}

/** Texts in which JSON has something to escape, and sorting something to get wrong. */
const TEXTS = [
  'plain',
  'q"\\/\b\f\n\r\t',
  '\u0001\u001f\u007f\u0080',
  'é ß \u2028\u2029',
  '👾🂡',
  "a'b",
  '</script>',
  '@id $1',
  'Ä',
];

/** @returns the answers, in order */
export async function story(records: Records): Promise<readonly unknown[]> {
  const tell = teller(records);
  const people = await settle(tell);
  // If nobody was created, all further requests would be refused and prove nothing.
  for (const [name, id] of Object.entries(people)) if (id === '') throw new Error(`${name} was not created`);
  await build(tell, people);
  await sell(tell, people);
  await undo(tell, people);
  return tell.answers;
}

interface People {
  readonly ada: string;
  readonly bob: string;
  readonly eve: string;
  readonly everyone: readonly Caller[];
  readonly designer: string;
  readonly game: string;
  readonly file: string;
}

async function settle({ create, update, seen, listed, found }: Tell): Promise<People> {
  const user = (username: string) =>
    create('user', ADMIN, { username, password: 'scrypt$hash', email: `${username}@example.com` });
  const [ada, bob, eve] = [await user('ada'), await user('bob'), await user('eve')];
  await user('ada');
  const everyone = [ANYONE, as(ada), as(bob), as(eve), ADMIN];
  const designer = await create('designer', as(ada), { name: 'Ada "Games"' });
  const associate = await create('designerassociate', as(ada), {
    designer_id: designer,
    user_id: bob,
    share_percent: '12.5',
  });
  await create('designerassociate', as(ada), { designer_id: designer, user_id: bob });
  await seen('designerassociate', associate, everyone);
  await listed('user', 'designerassociates', 'designerassociate', bob);
  const game = await create('game', as(ada), { name: 'Dawn', designer_id: designer });
  // An associate edits games, but creates none.
  await create('game', as(bob), { name: 'Dusk', designer_id: designer });
  await create('game', as(ada), { name: 'Dawn', designer_id: designer });
  await seen('game', game, everyone);
  for (const number of [1, 2]) {
    await listed(null, '', 'game', '', { number, size: 1 });
    await listed(null, '', 'part', '', { number, orderBy: '-name' });
    await listed(null, '', 'game', '', { number, words: ['daw', 'dawn'], size: 1 });
    await listed(null, '', 'game', '', { number, words: ['dawn'], orderBy: '-name' });
  }
  const folder = await create('folder', as(ada), { name: 'faces', folder_id: null });
  const inner = await create('folder', as(ada), { name: 'inner', folder_id: folder });
  await update('folder', folder, as(ada), { folder_id: inner });
  const file = await create('file', as(ada), { name: 'face.png', folder_id: inner }, picture('a'));
  await seen('file', file, everyone);
  await seen('user', ada, everyone);
  await seen('user', 'nobody at all', everyone);
  await found('user', ['username', 'email'], 'AD');
  await found('part', ['name'], 'inn');
  await listed(null, '', 'user', '', { number: 2, size: 1, orderBy: 'username' });
  return { ada, bob, eve, everyone, designer, game, file };
}

async function build(tell: Tell, { ada, bob, eve, everyone, game, file }: People): Promise<void> {
  const { create, update, seen, used, listed } = tell;
  const boxes: string[] = [];
  for (const name of TEXTS) boxes.push(await create('boxtop', as(bob), { name, game_id: game }));
  const [box = ''] = boxes;
  await update('boxtop', box, as(ada), { top_id: file, has_proofed_top: true });
  await update('boxtop', box, as(eve), { name: 'mine' });
  await update('boxtop', box, ANYONE, { name: 'mine' });
  await update('boxtop', box, as(bob), { top_id: 'none' });
  await seen('boxtop', box, everyone);
  for (const order of [null, 'name', 'date_created']) {
    for (const descending of [true, false])
      await listed('game', 'boxtops', 'boxtop', game, { orderBy: order, descending });
  }
  await listed('game', 'boxtops', 'boxtop', game, { filters: { name: 'Ä' } });
  await listed('game', 'boxtops', 'boxtop', game, { number: 2 });
  await used('file', file, as(ada));
  const set = await create('twosidedsluggedset', as(ada), {
    name: 'set',
    game_id: game,
    identity: 'ArrowChit',
    back_id: file,
  });
  const member = await create('twosidedslugged', as(ada), { name: 'one', set_id: set, face_id: file });
  await seen('twosidedsluggedset', set, everyone);
  await seen('twosidedslugged', member, everyone);
  const booklet = await create('booklet', as(ada), { name: 'rules', game_id: game });
  for (const sequence_number of [2, 1, 1]) {
    await create('bookletpage', as(ada), {
      name: `page ${sequence_number}`,
      booklet_id: booklet,
      image_id: file,
      sequence_number,
    });
  }
  await seen('booklet', booklet, everyone);
  await listed('booklet', 'pages', 'bookletpage', booklet);
  await listed('booklet', 'pages', 'bookletpage', booklet, { size: 1 });
  await listed('user', 'games', 'game', ada);
  await listed('user', 'files', 'file', ada, { number: 2 });
  await listed('user', 'files', 'file', ada, { size: 1 });
  await tell.copy(game, as(ada));
}

async function sell(tell: Tell, { ada, bob, eve, everyone, designer, game, file }: People): Promise<void> {
  const { create, update, act, seen, listed } = tell;
  const download = await create('gamedownload', as(ada), { game_id: game, file_id: file });
  await seen('gamedownload', download, everyone);
  const receipt = await create('receipt', ADMIN, {
    user_id: eve,
    items: [{ game_id: game, quantity: 2, note: TEXTS }],
  });
  await seen('gamedownload', download, everyone);
  await seen('receipt', receipt, everyone);
  await act(receipt, 'ship', as(eve));
  await act(receipt, 'ship', ADMIN, { shipments: [{ tracking_number: '1' }] });
  await act(receipt, 'ship', ADMIN);
  await act(receipt, 'dance', ADMIN);
  await act(receipt, 'refund', ADMIN);
  await seen('gamedownload', download, everyone);
  await update('gamedownload', download, as(ada), { free: true });
  await seen('gamedownload', download, everyone);
  const key = await create('apikey', as(bob), { name: 'key', reason: 'tests' });
  await seen('apikey', key, everyone);
  const hook = await create('webhook', as(bob), {
    ...{ event: 'ItemSold', owner_class: 'Designer', owner_id: designer, api_key_id: key },
    callback_uri: 'https://example.com/hook',
  });
  await seen('webhook', hook, everyone);
  await listed('user', 'webhooks', 'webhook', bob, { number: 2 });
  await tell.remove('apikey', key, as(bob));
  await seen('webhook', hook, everyone);
}

async function undo(tell: Tell, { ada, bob, eve, everyone, designer, game, file }: People): Promise<void> {
  const { remove, seen } = tell;
  const removals: readonly (readonly [string, string, Caller])[] = [
    ['designer', designer, as(ada)],
    ['file', file, as(bob)],
    ['file', file, as(ada)],
    ['game', game, as(eve)],
    ['game', game, as(bob)],
    ['game', game, as(bob)],
    ['file', file, as(ada)],
    ['user', ada, ADMIN],
    ['user', bob, ADMIN],
  ];
  for (const [resource, id, caller] of removals) await remove(resource, id, caller);
  await seen('designer', designer, everyone);
  await tell.listed('designer', 'associates', 'designerassociate', designer);
  await tell.listed('designer', 'games', 'game', designer);
}
