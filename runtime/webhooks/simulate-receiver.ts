// The receiver of a simulation: answers what is sent to it as the script says, when the virtual clock has come that far.

import type { Outcome, Send } from './delivery.js';
import type { Answer, Script } from './simulate-script.js';

export interface Receiver {
  readonly send: Send;
  /** Epoch milliseconds of the next answer; null: nothing waits for one. */
  next(): number | null;
  /** Gives the answers whose time has come. */
  answer(): void;
  /** Callbacks that wait for an answer. */
  open(): number;
}

/** Callbacks of type subscribe have an answer of their own and use up none of the others. */
export function createReceiver({ answers, subscribe }: Script, clock: { readonly now: number }): Receiver {
  const next = repeatLast(answers);
  let waiting: { readonly at: number; readonly give: () => void }[] = [];
  return {
    send({ body }) {
      const message = new URLSearchParams(body).get('message') ?? '{}';
      const { type } = JSON.parse(message) as { readonly type?: string };
      const { outcome, takes } = type === 'subscribe' ? subscribe : next();
      return new Promise<Outcome>((resolve) => {
        waiting.push({ at: clock.now + takes, give: () => resolve(outcome) });
      });
    },
    next: () => (waiting.length === 0 ? null : Math.min(...waiting.map(({ at }) => at))),
    answer() {
      const due = waiting.filter(({ at }) => at <= clock.now);
      waiting = waiting.filter(({ at }) => at > clock.now);
      for (const { give } of due) give();
    },
    open: () => waiting.length,
  };
}

function repeatLast(answers: readonly Answer[]): () => Answer {
  let index = 0;
  let given = 0;
  return () => {
    const answer = answers[index] as Answer;
    given += 1;
    if (given >= answer.times && index < answers.length - 1) {
      index += 1;
      given = 0;
    }
    return answer;
  };
}
