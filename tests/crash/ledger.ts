// What a client knows of its records from the answers it got: the states each may be in after a crash. Sends nothing.

/** What is compared of a record; null: there is none. */
export type State = string | null;

export interface Entry {
  readonly resource: string;
  readonly id: string;
  /** SHA-256 of the bytes, for an upload. */
  readonly hash: string | null;
  /** One while nothing is under way; with an unanswered change, the state before it comes first. */
  possible: readonly [State, ...State[]];
}

export interface Ledger {
  /** A create was acknowledged. */
  created(entry: Entry): void;
  /** Changes of records are sent: from now on either state may be found. */
  sent(entries: readonly Entry[], state: State): void;
  /** The changes were acknowledged: from now on only the new state may be found. */
  acknowledged(entries: readonly Entry[]): void;
  /** Entries with a change or an answer since the last call. */
  touched(): readonly Entry[];
  all(): readonly Entry[];
  readonly answers: number;
}

export function createLedger(): Ledger {
  const entries: Entry[] = [];
  let touched = new Set<Entry>();
  let answers = 0;
  return {
    created(entry) {
      answers += 1;
      entries.push(entry);
      touched.add(entry);
    },
    sent(changed, state) {
      for (const entry of changed) {
        entry.possible = [entry.possible[0], state];
        touched.add(entry);
      }
    },
    acknowledged(changed) {
      answers += 1;
      for (const entry of changed) entry.possible = [entry.possible.at(-1) ?? null];
    },
    touched() {
      const since = [...touched];
      touched = new Set();
      return since;
    },
    all: () => entries,
    get answers() {
      return answers;
    },
  };
}
