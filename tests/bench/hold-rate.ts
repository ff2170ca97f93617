// Sends a given number of requests a second, however long their answers take, and measures each from when it was due: time
// that a request waits for a free connection counts against the server.
//
// While the load itself does not run (it collects garbage, or the kernel runs something else on its processor) nobody sees what
// the server does. Requests that would be due then become due later by as much, and answers that came meanwhile are counted
// separately, since nobody knows when they came. All others count in full, also those that were sent before such a stall and
// are answered after it: a server cannot keep the load from running on a processor of its own.

import type { Connection } from './load-connection.js';

/**
 * Milliseconds between two signs of life of the load above which it is considered not to have run. Each request, each answer
 * and each turn of the event loop is one: when many answers come together, they are some 10 microseconds apart.
 */
const STALL = 0.3;
/** A timer may be early or late by a millisecond, which is more than an answer takes. */
const TIMER = 1.5;

export interface Clock {
  /** The time in milliseconds. */
  now(): number;
  /** Calls back when the answers that have arrived until then have been read. */
  soon(then: () => void): void;
  later(then: () => void, milliseconds: number): void;
}

export interface Pace {
  readonly perSecond: number;
  readonly milliseconds: number;
  /** Whether stalls of the load are left out. If it shares a processor with the server, the server may be their cause. */
  readonly isAlone: boolean;
}

export interface HeldLoad {
  /** Milliseconds of each counted answer. */
  readonly times: readonly number[];
  /** Milliseconds of each answer that may have come while the load did not run. */
  readonly leftOut: readonly number[];
  /** Milliseconds that the load did not run. */
  readonly stalled: number;
  readonly failures: number;
}

export function holdRate(
  connections: readonly Connection[],
  requests: readonly Buffer[],
  pace: Pace,
  clock: Clock,
): Promise<HeldLoad> {
  return new Promise((resolve) => new HeldRate(connections, requests, pace, clock).run(resolve));
}

/** A connection, and the request that it has sent. */
interface Slot {
  readonly connection: Connection;
  readonly answered: (isFailure: boolean) => void;
  due: number;
  /** Whether the load may have stalled while it sent. */
  isUnclear: boolean;
}

class HeldRate {
  readonly #times: number[] = [];
  readonly #leftOut: number[] = [];
  #failures = 0;
  #stalled = 0;
  readonly #slots: readonly Slot[];
  readonly #free: Slot[];
  #sent = 0;
  /** When the next request is due. */
  #due: number;
  /** The last sign of life, and the connection that has just sent. */
  #alive: number;
  #sending: Slot | null = null;
  #isAsleep = false;
  /** How many more reads may hold answers that came in a stall: the one in which it is noticed, and one after it. */
  #unclear = 0;
  #resolve: (held: HeldLoad) => void = () => undefined;

  constructor(
    connections: readonly Connection[],
    private readonly requests: readonly Buffer[],
    private readonly pace: Pace,
    private readonly clock: Clock,
  ) {
    this.#slots = connections.map((connection) => this.#slot(connection));
    this.#free = [...this.#slots];
    this.#due = clock.now();
    this.#alive = this.#due;
  }

  run(resolve: (held: HeldLoad) => void): void {
    this.#resolve = resolve;
    this.#turn();
  }

  #slot(connection: Connection): Slot {
    const slot: Slot = {
      connection,
      answered: (isFailure) => this.#answered(slot, isFailure),
      due: 0,
      isUnclear: false,
    };
    return slot;
  }

  /** One turn of the event loop: sends what is due. */
  readonly #turn = (): void => {
    const all = (this.pace.perSecond * this.pace.milliseconds) / 1000;
    let now = this.#beat();
    this.#isAsleep = false;
    while (this.#sent < all && this.#due <= now) {
      const slot = this.#free.pop();
      if (slot === undefined) break;
      this.#send(slot);
      now = this.#beat();
    }
    this.#unclear = Math.max(0, this.#unclear - 1);
    if (this.#sent < all || this.#free.length < this.#slots.length) this.#wait(this.#due - now);
    else
      this.#resolve({ times: this.#times, leftOut: this.#leftOut, stalled: this.#stalled, failures: this.#failures });
  };

  #send(slot: Slot): void {
    const request = this.requests[this.#sent % this.requests.length] ?? Buffer.alloc(0);
    slot.due = this.#due;
    slot.isUnclear = false;
    this.#sent += 1;
    this.#due += 1000 / this.pace.perSecond;
    this.#sending = slot;
    slot.connection.ask(request, slot.answered);
  }

  #answered(slot: Slot, isFailure: boolean): void {
    const time = this.#beat() - slot.due;
    (this.#unclear > 0 || slot.isUnclear ? this.#leftOut : this.#times).push(time);
    if (isFailure) this.#failures += 1;
    this.#free.push(slot);
  }

  #wait(rest: number): void {
    this.#isAsleep = rest > TIMER + 0.5;
    if (this.#isAsleep) this.clock.later(this.#turn, rest - TIMER);
    else this.clock.soon(this.#turn);
  }

  /** A sign of life. @returns the time */
  #beat(): number {
    const before = this.#alive;
    const now = this.clock.now();
    if (now - before > STALL && this.pace.isAlone && !this.#isAsleep) {
      this.#stalled += now - before;
      this.#unclear = 2;
      if (this.#sending !== null) this.#sending.isUnclear = true;
      // Requests that were due before and wait for a connection wait for the server, and go on counting.
      if (this.#due > before) this.#due += now - before;
    }
    this.#alive = now;
    this.#sending = null;
    return now;
  }
}
