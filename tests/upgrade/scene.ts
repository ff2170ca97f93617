// What is known about a recorded database: its people, what was under way at the kill, and the responses of its server.
import type { Send } from '../support/client.js';
import type { Seeded } from './seed.js';

export interface Scene {
  /** When the server was killed, in epoch milliseconds. */
  readonly now: number;
  readonly seeded: Seeded;
  /** A column whose values the database keeps aside, although the column exists again. */
  readonly dropped: { readonly table: string; readonly column: string; readonly value: string };
  readonly answers: readonly Answer[];
}

/** A GET and the response of the recorded server. */
export interface Answer {
  readonly path: string;
  readonly as: 'root' | 'ada' | 'nobody';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Requests every record as every person, and what administrators see of the hooks. */
export async function answersOf(send: Send, { records, hooks, root, ada }: Seeded): Promise<readonly Answer[]> {
  const sessions = { root: root.session, ada: ada.session, nobody: null };
  const answers: Answer[] = [];
  const ask = async (path: string, as: Answer['as']): Promise<void> => {
    const { status, body } = await send('GET', path, { session: sessions[as] });
    answers.push({ path, as, status, body });
  };
  for (const [type, id] of Object.entries(records)) {
    await ask(`/api/${type}/${id}`, 'nobody');
    await ask(`/api/${type}/${id}`, 'ada');
    await ask(`/api/${type}/${id}?_include_related_objects=1&_include_relationships=1`, 'root');
  }
  for (const { id } of Object.values(hooks)) await ask(`/api/webhook/${id}`, 'ada');
  await ask(`/api/game/${records.game}/decks`, 'ada');
  await ask(`/api/user/${records.user}/games`, 'ada');
  return answers;
}
