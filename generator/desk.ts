// What a run of gen works at: what it remembers of runs before, and a count of the work it did. Knows neither disk nor model.

/** What was done and not remembered, by path, in the order it was done. */
export interface Work {
  /** YAML files parsed. */
  readonly parsed: string[];
  /** Outputs rendered; `openapi.json#name` for the part of the API document about one resource. */
  readonly rendered: string[];
  /** Files written or removed. */
  readonly written: string[];
}

/** What is remembered: a parsed document, its form, a resource's outputs, its part of the API document, the whole's outputs, a run. */
export type Kind = 'document' | 'form' | 'outputs' | 'piece' | 'whole' | 'run';

/** Texts by what they were made from. A key says everything that the text depends on. */
export interface Memo {
  recall(kind: Kind, key: string): string | null;
  keep(kind: Kind, key: string, text: string): void;
}

export interface Desk {
  readonly memo: Memo;
  readonly work: Work;
}

/** A desk that remembers nothing unless given a memo. */
export function createDesk(memo: Memo = FORGETFUL): Desk {
  return { memo, work: { parsed: [], rendered: [], written: [] } };
}

const FORGETFUL: Memo = { recall: () => null, keep: () => undefined };

/** The remembered text, or the made one, remembered. */
export function remembered(memo: Memo, kind: Kind, key: string, make: () => string): string {
  const known = memo.recall(kind, key);
  if (known !== null) return known;
  const text = make();
  memo.keep(kind, key, text);
  return text;
}
