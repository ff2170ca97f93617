// The additions of the profile wing (D07): the name of a type, rights of the session, allowed values, single relations at paths
// of their own, and 450 for callers who may not write. Plain has none of them.
import { onPostgres } from '../support/on-postgres.js';
import { startService } from '../support/service.js';

type Body = Readonly<Record<string, unknown>>;

/** A service with a box top of ada's in it. */
async function begin(wire: 'plain' | 'wing') {
  const service = await startService({ wire });
  async function ask(method: string, path: string, sent: Readonly<Record<string, string>> = {}) {
    const answer = await fetch(`${service.address}/api/${path}?${new URLSearchParams(sent)}`, { method });
    const all = (await answer.json()) as Body;
    const body = (all.result ?? all.error ?? all) as Body;
    return { status: answer.status, body, ignored: answer.headers.get('ignored-parameters') };
  }
  const made = async (type: string, sent: Readonly<Record<string, string>>) =>
    String((await ask('POST', type, { name: 'One', session_id: ada, ...sent })).body.id);
  const { session: ada } = await service.user('ada');
  const { session: ben } = await service.user('ben');
  const game = await made('game', { designer_id: await made('designer', {}) });
  return { service, ask, made, ada, ben, game, box: await made('boxtop', { game_id: game }) };
}

let world: Awaited<ReturnType<typeof begin>>;
const opened = (wire: 'plain' | 'wing') => {
  beforeAll(async () => {
    world = await begin(wire);
  });
  afterAll(() => world.service.stop());
};

/** The additional properties of a record, or of the first record in a list. */
async function extras(path: string, sent: Readonly<Record<string, string>>) {
  const { body } = await world.ask('GET', path, sent);
  const [first] = (body.items ?? [body]) as readonly Body[];
  return ['object_name', 'can_view', 'can_edit', '_options'].map((name) => first?.[name]);
}
const NONE = [undefined, undefined, undefined, undefined];

const recordTests = (wire: 'plain' | 'wing') => {
  opened(wire);

  test('records show the name of their type, and to a session its rights', async () => {
    const { ask, ada, ben, game, box } = world;
    const isWing = wire === 'wing';
    for (const path of [`boxtop/${box}`, `game/${game}/boxtops`]) {
      expect(await extras(path, {})).toEqual(isWing ? ['Box top', ...NONE.slice(1)] : NONE);
      expect(await extras(path, { session_id: ada })).toEqual(isWing ? ['Box top', 1, 1, undefined] : NONE);
      expect(await extras(path, { session_id: ben })).toEqual(isWing ? ['Box top', 1, 0, undefined] : NONE);
    }
    const session = await ask('GET', `session/${ada}`);
    expect(session.body.object_name).toBe(isWing ? 'Session' : undefined);
    const created = await ask('POST', 'boxtop', { name: 'Lid', game_id: game, session_id: ada });
    expect([created.body.can_view, created.body.can_edit]).toEqual(isWing ? [1, 1] : [undefined, undefined]);
  });

  test('D61: the rights are those that the token allows', async () => {
    const { service, ask, ada, game, box } = world;
    const { session: root } = await service.user(`root ${wire}`, true);
    const { user_id: user } = (await ask('GET', `session/${ada}`)).body;
    const paths = [`boxtop/${box}`, `game/${game}/boxtops`, `game/${game}`, `user/${user}`];
    const edits = async (session: string, scope: string) => {
      const key = await ask('POST', 'apikey', { name: scope, scope, session_id: session });
      const headers = { authorization: `Bearer ${key.body.token}` };
      const flags = paths.map(async (path) => {
        const answer = await fetch(`${service.address}/api/${path}?_include_related_objects=game`, { headers });
        // For the record, for each record in a list, and for the included game.
        return [...(await answer.text()).matchAll(/"can_edit":(\d)/g)].map(([, may]) => Number(may)).join();
      });
      return Promise.all(flags);
    };
    for (const session of [ada, root]) {
      const isWing = wire === 'wing';
      expect(await edits(session, 'read')).toEqual(isWing ? ['0,0', '0,0', '0', '0'] : ['', '', '', '']);
      // No token changes users.
      expect(await edits(session, 'write')).toEqual(isWing ? ['1,1', '1,1', '1', '0'] : ['', '', '', '']);
    }
  });

  test('allowed values are included in a record on request', async () => {
    const { ask, box } = world;
    const { body, ignored } = await ask('GET', `boxtop/${box}`, { _include_options: '1' });
    const options = await ask('GET', 'boxtop/_options');
    expect(body._options).toEqual(wire === 'wing' ? options.body : undefined);
    expect(ignored).toBe(wire === 'wing' ? null : '_include_options');
    expect((await ask('GET', `boxtop/${box}`, { _include_options: '0' })).body).not.toHaveProperty('_options');
  });
};

const relationTests = (wire: 'plain' | 'wing') => {
  opened(wire);

  test('a single relation is at a path of its own', async () => {
    const { ask, made, ada, game, box } = world;
    const { status, body } = await ask('GET', `boxtop/${box}/game`, { session_id: ada });
    if (wire === 'plain') return expect(status).toBe(404);
    expect(body).toEqual((await ask('GET', `game/${game}`, { session_id: ada })).body);
    expect((await ask('GET', 'boxtop/nothing/game')).status).toBe(404);
    // A reference that is not set, and a record that the caller may not read.
    const folder = await made('folder', {});
    expect((await ask('GET', `folder/${folder}/folder`, { session_id: ada })).status).toBe(404);
    expect((await ask('GET', `folder/${folder}/user`)).status).toBe(401);
    expect((await ask('GET', `folder/${folder}/user`, { session_id: ada })).body).toMatchObject({ username: 'ada' });
  });

  test('a token without access to the related record does not get it', async () => {
    const { ask, ada, game, box } = world;
    const key = await ask('POST', 'apikey', { name: 'Tops', resources: '["boxtop"]', session_id: ada });
    const headers = { authorization: `Bearer ${key.body.token}` };
    const status = async (path: string) => (await fetch(`${world.service.address}/api/${path}`, { headers })).status;
    expect(await status(`boxtop/${box}`)).toBe(200);
    expect(await status(`boxtop/${box}/game`)).toBe(wire === 'wing' ? 450 : 404);
    expect(await status(`game/${game}`)).toBe(wire === 'wing' ? 450 : 403);
  });

  test('a write is refused alike without a session and with an expired one', async () => {
    const { ask, game, box } = world;
    const status = wire === 'wing' ? 450 : 401;
    for (const session of [{}, { session_id: 'expired' }]) {
      expect((await ask('POST', 'boxtop', { name: 'Lid', game_id: game, ...session })).status).toBe(status);
      expect((await ask('PUT', `boxtop/${box}`, { name: 'Top', ...session })).status).toBe(status);
      // Clients recognize by this that they have to log in again.
      const { headers } = await fetch(`${world.service.address}/api/boxtop/${box}`, { method: 'DELETE' });
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect((await ask('DELETE', `boxtop/${box}`, session)).status).toBe(status);
      expect((await ask('GET', 'user', session)).status).toBe(401);
      expect((await ask('POST', `game/${game}/public`, session)).status).toBe(401);
      expect((await ask('GET', `boxtop/${box}`, session)).status).toBe(200);
    }
  });
};

const everything = () => {
  describe.each(['wing', 'plain'] as const)('what records tell in %s', recordTests);
  describe.each(['wing', 'plain'] as const)('what is asked in %s', relationTests);
};
everything();
onPostgres(everything);
