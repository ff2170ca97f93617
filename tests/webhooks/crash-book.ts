// Compares what a receiver got with the acknowledged sales and with the attempts that were in flight at each kill.

import type { Chance } from '../support/chance.js';
import { type HttpReceiver, type Received, signedBy } from './http-receiver.js';

export interface Findings {
  /** Acknowledged sales. */
  readonly sales: number;
  /** Callbacks that arrived. */
  readonly posts: number;
  /** The events of acknowledged sales that never arrived, each as `hook sale`. */
  readonly lost: readonly string[];
  /** Callbacks with a wrong signature. */
  readonly unsigned: number;
  /** Callbacks that arrived although the receiver had answered 200 before. */
  readonly repeated: number;
  /** Attempts that the database had in flight, summed over the kills. */
  readonly inFlight: number;
  /** Deliveries that were repeated more often than they were in flight at a kill. */
  readonly unexplained: readonly string[];
}

export interface Book {
  readonly address: string;
  readonly hooks: string[];
  readonly sales: Set<string>;
  key: string;
  next(): number;
  killed(inFlight: readonly string[]): void;
  findings(): Findings;
}

/** Makes one of the receivers refuse callbacks now and then. */
export function createBook(receiver: HttpReceiver, chance: Chance): Book {
  const accepted = new Map<string, number>();
  const inFlightAtKills = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  let [issued, inFlight] = [0, 0];
  receiver.answer = (post) => {
    if (post.path === '/0' && chance.happens(0.3)) return 500;
    add(accepted, post.delivery);
    return 200;
  };
  const { posts } = receiver;
  const book: Book = {
    address: receiver.address,
    hooks: [],
    sales: new Set(),
    key: '',
    next: () => (issued += 1),
    killed(deliveries) {
      inFlight += deliveries.length;
      for (const delivery of deliveries) add(inFlightAtKills, delivery);
    },
    findings() {
      const arrived = new Set(posts.filter(({ said }) => said.type === 'data').map(nameOf));
      const expected = book.hooks.flatMap((hook) => [...book.sales].map((sku) => `${hook} ${sku}`));
      const repeats = [...accepted].filter(([, times]) => times > 1);
      return {
        sales: book.sales.size,
        posts: posts.length,
        lost: expected.filter((name) => !arrived.has(name)),
        unsigned: posts.filter((post) => !signedBy(book.key, post)).length,
        repeated: repeats.reduce((sum, [, times]) => sum + times - 1, 0),
        inFlight,
        unexplained: repeats.filter(([id, times]) => times - 1 > (inFlightAtKills.get(id) ?? 0)).map(([id]) => id),
      };
    },
  };
  return book;
}

function nameOf({ said }: Received): string {
  return `${said.id} ${said.payload.item.sku_id}`;
}
