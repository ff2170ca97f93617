// What a client knows about its records from the answers that it has received: the possible states of each after a crash.

/** The values of a record that are compared; null: the record does not exist. */
export type State = string | null;

export interface Entry {
  readonly resource: string;
  readonly id: string;
  /** The SHA-256 of an upload's bytes; null for other records. */
  readonly hash: string | null;
  /** Several after an unanswered change, of which the state before the change comes first. */
  possible: readonly [State, ...State[]];
}

export interface Ledger {
  /** A create was acknowledged. */
  created(entry: Entry): void;
  /** Changes of records are sent: from now on either state is possible. */
  sent(entries: readonly Entry[], state: State): void;
  /** The changes were acknowledged: from now on only the new state is possible. */
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
