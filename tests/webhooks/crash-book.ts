// Judges what a receiver got against the sales that were acknowledged and the attempts that were in flight at each kill.

import type { Chance } from '../support/chance.js';
import { type HttpReceiver, type Received, signedBy } from './http-receiver.js';

export interface Findings {
  /** Acknowledged sales. */
  readonly sales: number;
  /** Callbacks that arrived. */
  readonly posts: number;
  /** `hook sale` of every event of an acknowledged sale that never arrived. */
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

/** From now on one of the hooks is refused now and then. */
export function createBook(receiver: HttpReceiver, chance: Chance): Book {
  const accepted = new Map<string, number>();
  const flying = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  let [made, inFlight] = [0, 0];
  // One of the receivers refuses now and then.
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
    next: () => (made += 1),
    killed(deliveries) {
      inFlight += deliveries.length;
      for (const delivery of deliveries) add(flying, delivery);
    },
    findings() {
      const arrived = new Set(posts.filter(({ said }) => said.type === 'data').map(nameOf));
      const expected = book.hooks.flatMap((hook) => [...book.sales].map((sku) => `${hook} ${sku}`));
      const again = [...accepted].filter(([, times]) => times > 1);
      return {
        sales: book.sales.size,
        posts: posts.length,
        lost: expected.filter((name) => !arrived.has(name)),
        unsigned: posts.filter((post) => !signedBy(book.key, post)).length,
        repeated: again.reduce((sum, [, times]) => sum + times - 1, 0),
        inFlight,
        unexplained: again.filter(([id, times]) => times - 1 > (flying.get(id) ?? 0)).map(([id]) => id),
      };
    },
  };
  return book;
}

function nameOf({ said }: Received): string {
  return `${said.id} ${said.payload.item.sku_id}`;
}
