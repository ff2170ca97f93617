// How much is measured: enough for meaningful figures, or just enough to show that a part runs to its end.

export interface Extent {
  /** Slices of each server, measured in turns; the median counts. */
  readonly turns: number;
  /** Milliseconds of a slice. */
  readonly slice: number;
  /** Milliseconds before the first slice. Until V8 has compiled the servers, the one with less code has an advantage. */
  readonly warmUp: number;
  /** Requests of a slice that can be sent only once: more than can be answered in time. */
  readonly fresh: number;
  /** Milliseconds under a constant load. */
  readonly held: number;
  readonly rows: readonly number[];
  readonly types: readonly number[];
  /** Types of the specs that gen is measured with. */
  readonly specs: readonly number[];
  /** Types of the spec that is edited while gen and a server watch. */
  readonly watched: number;
  /** Records and deliveries behind the operators' pages. */
  readonly pages: { readonly cards: number; readonly deliveries: number; readonly exported: number };
  /** Whether the servers of `peers/` are compared too, which have to be installed. */
  readonly peers: boolean;
}

export const WHOLE: Extent = {
  turns: 5,
  slice: 500,
  warmUp: 3000,
  fresh: 15_000,
  held: 5000,
  rows: [10_000, 1_000_000, 10_000_000],
  types: [25, 100, 1000],
  specs: [25, 250, 1000],
  watched: 300,
  pages: { cards: 50_000, deliveries: 100_000, exported: 1_000_000 },
  peers: true,
};

/** The figures of this extent mean nothing, and are not written. */
export const BRIEF: Extent = {
  turns: 1,
  slice: 50,
  warmUp: 50,
  fresh: 100,
  held: 50,
  rows: [100, 200],
  types: [25],
  specs: [25],
  watched: 25,
  pages: { cards: 100, deliveries: 100, exported: 200 },
  peers: false,
};
