// Calls from one process to another. What is called in one turn of the event loop travels together, and so do the answers.

import { type ErrorCode, type Failure, ServiceError } from '../../errors.js';

export interface Call {
  readonly id: number;
  /** Name of the part that has the method. */
  readonly on: string;
  readonly method: string;
  /** Plain data. */
  readonly given: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError };

/** A caller's mistake is the same error on the other side; of a bug the stack is all that is left. */
type SentError =
  | {
      readonly code: ErrorCode;
      readonly message: string;
      readonly failures: readonly Failure[];
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly stack: string };

/** The side that calls. */
export interface Caller {
  call(on: string, method: string, given: readonly unknown[]): Promise<unknown>;
  answered(answers: readonly Answer[]): void;
  /** The other side is gone: calls under way and all later ones are rejected. */
  lost(): void;
}

export function createCaller(send: (calls: readonly Call[]) => void): Caller {
  const underWay = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const queue = joined(send);
  let last = 0;
  let isLost = false;
  return {
    call(on, method, given) {
      if (isLost) return Promise.reject(gone());
      return new Promise((resolve, reject) => {
        last += 1;
        underWay.set(last, { resolve, reject });
        queue({ id: last, on, method, given });
      });
    },
    answered(answers) {
      for (const answer of answers) {
        const { resolve, reject } = underWay.get(answer.id) ?? {};
        underWay.delete(answer.id);
        if ('error' in answer) reject?.(errorOf(answer.error));
        else resolve?.(answer.value);
      }
    },
    lost() {
      isLost = true;
      for (const { reject } of underWay.values()) reject(gone());
      underWay.clear();
    },
  };
}

/** Parts by name, whose methods take and return plain data. */
export type Callable = Readonly<Record<string, object>>;

/** The side that is called. @returns takes calls; each is answered when its method has resolved */
export function createAnswerer(
  parts: Callable,
  send: (answers: readonly Answer[]) => void,
): (calls: readonly Call[]) => void {
  const queue = joined(send);
  const answer = async ({ id, on, method, given }: Call): Promise<void> => {
    try {
      const part = parts[on] as Readonly<Record<string, (...given: readonly unknown[]) => unknown>> | undefined;
      if (typeof part?.[method] !== 'function') throw new Error(`there is no ${on}.${method}`);
      queue({ id, value: await part[method](...given) });
    } catch (error) {
      queue({ id, error: sent(error) });
    }
  };
  return (calls) => {
    for (const call of calls) void answer(call);
  };
}

/** The methods of `T` with these names, carried out on the other side, where the part is called `on`. */
export function remote<T extends object, K extends keyof T & string>(
  { call }: Pick<Caller, 'call'>,
  on: string,
  methods: readonly K[],
): Pick<T, K> {
  const entries = methods.map((method) => [method, (...given: readonly unknown[]) => call(on, method, given)]);
  return Object.fromEntries(entries) as Pick<T, K>;
}

/** @returns queues one; all that one turn of the event loop queues are sent together */
function joined<T>(send: (all: readonly T[]) => void): (one: T) => void {
  let waiting: T[] = [];
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    send(all);
  };
  return (one) => {
    if (waiting.push(one) === 1) setImmediate(flush);
  };
}

function sent(error: unknown): SentError {
  if (!(error instanceof ServiceError)) return { stack: error instanceof Error ? (error.stack ?? '') : String(error) };
  const { code, message, failures, headers } = error;
  return { code, message, failures, headers };
}

function errorOf(sentError: SentError): Error {
  if ('code' in sentError) {
    const { code, message, failures, headers } = sentError;
    return new ServiceError(code, message, failures, headers);
  }
  const [first = ''] = sentError.stack.split('\n', 1);
  return Object.assign(new Error(first), { stack: sentError.stack });
}

/** It may have been committed all the same: whether it was is known once the service is back. */
function gone(): ServiceError {
  const message = 'The process that writes has ended; the service is being restarted.';
  return new ServiceError('unavailable', message, [], { 'Retry-After': '1' });
}
