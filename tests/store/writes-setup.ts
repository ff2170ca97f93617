// A store with people, and what another user owns beside them, for the tests of writes.
import { type ANYONE, as, change, type Harness, NOW, people, setup } from './setup.js';

type Everyone = Awaited<ReturnType<typeof people>>;
type Who = typeof ANYONE;

export interface Started extends Harness, Everyone {
  update(name: string, id: string, caller: Who, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  remove(name: string, id: string, caller: Who): Promise<void>;
  /** Eve's. */
  readonly others: { readonly designer: string; readonly file: string; readonly folder: string };
}

export async function start(options: Parameters<typeof setup>[0] = {}): Promise<Started> {
  const harness = setup(options);
  const everyone = await people(harness);
  const { create, store } = harness;
  const update = (name: string, id: string, caller: Who, input: Record<string, unknown>) =>
    Promise.resolve(store.update(id, change(name, caller, input))).then((text) => JSON.parse(text));
  const remove = (name: string, id: string, caller: Who) => Promise.resolve(store.remove(name, id, caller, NOW));
  const { eve } = everyone;
  const others = {
    designer: await create('designer', as(eve), { name: 'Eve Games' }),
    file: await create('file', as(eve), { name: 'eve.png', file_type: 'image/png' }),
    folder: await create('folder', as(eve), { name: 'eve' }),
  };
  return { ...harness, ...everyone, update, remove, others };
}
