// The format of a hook and its secrets (D63): the message, and the signature of each attempt, on every engine.

import { standardSecret } from '../../runtime/rules/signature.js';
import { describeOnOutboxEngines } from './outbox-engines.js';
import { HOUR, NOW, type OutboxScene, outboxScene, REFUSED, SERVER, SUCCESS, saleOf } from './outbox-scene.js';

const OF_KEY = standardSecret('the secret');
const DAY = 24 * HOUR;

describeOnOutboxEngines((_, open) => {
  let s: OutboxScene;
  let hook: string;
  beforeEach(async () => {
    s = await outboxScene(await open());
    hook = await s.subscribe();
    await s.attempted(hook, SUCCESS);
  });
  afterEach(() => s.end());

  /** The secrets that sign the next sale; undefined for the one derived from the key. */
  const secrets = async () => {
    await s.sell();
    return (await s.attempted(hook, SUCCESS)).secrets;
  };
  const admin = { author: { user: null, name: 'root' }, now: NOW };

  test('the format is that of the hook at the time of the event', async () => {
    await s.sell();
    await s.change('webhook', hook, { format: 'standard' });
    s.now += 1;
    await s.sell();
    const [form, standard] = [await s.attempted(hook, SUCCESS), await s.claimOne(hook)].map(({ message }) =>
      JSON.parse(message),
    );
    expect(form).toMatchObject({ id: hook, type: 'data', payload: { item: { quantity: 1 } } });
    expect(standard).toEqual({ type: 'ItemSold', timestamp: new Date(NOW + 1).toISOString(), data: form });
  });

  test('S25 a retry has the same message, an operator sees it, and a test has the format, too', async () => {
    await s.change('webhook', hook, { format: 'standard' });
    await s.sell();
    const first = await s.attempted(hook, REFUSED);
    s.now += HOUR;
    expect(await s.claimOne(hook)).toMatchObject({ delivery: first.delivery, message: first.message, failed: 1 });
    expect(await s.outbox.message(hook, first.delivery)).toMatchObject({ message: first.message });
    const tested = await s.outbox.test(hook, { payload: '{"a":"é"}', now: s.now, server: SERVER });
    expect(JSON.parse(tested.message)).toMatchObject({ type: 'webhook.test', data: { payload: { a: 'é' } } });
  });

  test('an exchange: two secrets for a day, newest first, then one; a test has them too', async () => {
    expect(await secrets()).toBeUndefined();
    expect(await s.outbox.exchange(hook, 'first', s.now)).toBe(NOW + DAY);
    expect(await secrets()).toEqual(['first', OF_KEY]);
    s.now += DAY - 1;
    expect(await secrets()).toEqual(['first', OF_KEY]);
    s.now += 1;
    expect(await secrets()).toEqual(['first']);
    await s.outbox.exchange(hook, 'second', s.now);
    expect(await secrets()).toEqual(['second', 'first']);
    const test = { payload: '{}', now: s.now, server: SERVER };
    expect(await s.outbox.test(hook, test)).toMatchObject({ key: 'the secret', secrets: ['second', 'first'] });
  });

  test('two exchanges in a row keep the secret that receivers have', async () => {
    await s.outbox.exchange(hook, 'lost', s.now);
    await s.outbox.exchange(hook, 'found', s.now);
    expect(await secrets()).toEqual(['found', OF_KEY]);
  });

  test('hooks have separate secrets', async () => {
    const other = await s.subscribe();
    await s.attempted(other, SUCCESS);
    await s.outbox.exchange(other, 'other', s.now);
    expect(await secrets()).toBeUndefined();
  });

  test('S15 a hook without its key sends nothing, even if it has a secret', async () => {
    await s.outbox.exchange(hook, 'own', s.now);
    await s.drop('apikey', s.key);
    await s.change('webhook', hook, { api_key_id: null });
    await s.sell();
    expect(await s.claimOne(hook)).toMatchObject({ key: null });
  });

  test('S9, S22 the unsubscribe and later retries are signed like earlier deliveries', async () => {
    await s.outbox.exchange(hook, 'own', s.now);
    await s.sell();
    const row = await s.hook(hook);
    await s.drop('webhook', hook);
    await s.publishWithin([{ kind: 'unsubscribed', row }], s.now);
    expect(await s.attempted(hook, SUCCESS)).toMatchObject({ type: 'unsubscribe', secrets: ['own', OF_KEY] });
    while (await s.outbox.pruneOrphans());
    await s.outbox.retry(hook, { since: 0 }, admin);
    expect(await s.attempted(hook, SUCCESS)).toMatchObject({ type: 'data', secrets: ['own', OF_KEY] });
  });

  test('F29: secrets are deleted with the other remains of a hook', async () => {
    const kept = await s.subscribe();
    await s.outbox.exchange(hook, 'own', s.now);
    await s.outbox.exchange(kept, 'kept', s.now);
    await s.drop('webhook', hook);
    while (await s.outbox.pruneOrphans());
    expect(await s.rows('webhook_secret')).toHaveLength(2);
    s.now += DAY;
    while (await s.outbox.pruneLog(s.now, s.now));
    while (await s.outbox.pruneOrphans());
    expect(await s.rows('webhook_secret')).toMatchObject([{ id: kept, secret: 'kept', previous: OF_KEY }]);
  });

  test('the trace of a request goes with each attempt, and is deleted after the delivery', async () => {
    await s.publishWithin([saleOf(s.game)], s.now, 'a trace');
    expect(await s.attempted(hook, REFUSED)).toMatchObject({ trace: 'a trace' });
    while (await s.outbox.pruneOrphans());
    s.now += HOUR;
    expect(await s.attempted(hook, SUCCESS)).toMatchObject({ trace: 'a trace', failed: 1 });
    while (await s.outbox.pruneOrphans());
    expect(await s.rows('webhook_trace')).toEqual([]);
    await s.sell();
    expect((await s.attempted(hook, SUCCESS)).trace).toBeUndefined();
  });

  test('a hook that does not exist cannot exchange secrets', async () => {
    await expect(async () => s.outbox.exchange('m0nobody', 'x', s.now)).rejects.toThrow('Web hook not found');
  });
});
