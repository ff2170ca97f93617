// Calls from one process to another. Calls of one turn of the event loop travel together, and so do their answers.

import { type ErrorCode, type Failure, ServiceError } from '../../contract/errors.js';
import { shortageOf } from '../../contract/shortage.js';

export interface MethodCall {
  readonly id: number;
  /** Name of the part that has the method. */
  readonly part: string;
  readonly method: string;
  /** Plain data. */
  readonly args: readonly unknown[];
}

export type CallResult =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SerializedError };

/** A caller's mistake is the same error on the other side; only the stack of a bug is kept. */
type SerializedError =
  | {
      readonly code: ErrorCode;
      readonly message: string;
      readonly failures: readonly Failure[];
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly stack: string };

/** The side that calls. */
export interface Calls {
  call(part: string, method: string, args: readonly unknown[]): Promise<unknown>;
  settle(answers: readonly CallResult[]): void;
  /** The other side has ended: calls under way and all later ones are rejected. */
  disconnected(): void;
}

export function createCalls(send: (calls: readonly MethodCall[]) => void): Calls {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const queue = batched(send);
  let last = 0;
  let isDisconnected = false;
  return {
    call(part, method, args) {
      if (isDisconnected) return Promise.reject(primaryEnded());
      return new Promise((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        queue({ id: last, part, method, args });
      });
    },
    settle(answers) {
      for (const answer of answers) {
        const { resolve, reject } = pending.get(answer.id) ?? {};
        pending.delete(answer.id);
        if ('error' in answer) reject?.(deserialize(answer.error));
        else resolve?.(answer.value);
      }
    },
    disconnected() {
      isDisconnected = true;
      for (const { reject } of pending.values()) reject(primaryEnded());
      pending.clear();
    },
  };
}

/** Parts by name, whose methods take and return plain data. */
export type CallableParts = Readonly<Record<string, object>>;

/** The side that is called. @returns a function that takes calls, and answers each when its method has resolved */
export function createAnswers(
  parts: CallableParts,
  send: (answers: readonly CallResult[]) => void,
): (calls: readonly MethodCall[]) => void {
  const queue = batched(send);
  const answer = async ({ id, part: name, method, args }: MethodCall): Promise<void> => {
    try {
      const part = parts[name] as Readonly<Record<string, (...args: readonly unknown[]) => unknown>> | undefined;
      if (typeof part?.[method] !== 'function') throw new Error(`unknown method ${name}.${method}`);
      queue({ id, value: await part[method](...args) });
    } catch (error) {
      queue({ id, error: serialize(error) });
    }
  };
  return (calls) => {
    for (const call of calls) void answer(call);
  };
}

/** An object with the methods of that part on the other side. */
export function remote<T extends object>(
  { call }: Pick<Calls, 'call'>,
  part: string,
  methods: readonly (keyof T & string)[],
): T {
  const entries = methods.map((method) => [method, (...args: readonly unknown[]) => call(part, method, args)]);
  return Object.fromEntries(entries) as T;
}

/** @returns a function that queues one item; all items of one turn of the event loop are sent together */
function batched<T>(send: (items: readonly T[]) => void): (item: T) => void {
  let queued: T[] = [];
  const flush = (): void => {
    const items = queued;
    queued = [];
    send(items);
  };
  return (item) => {
    if (queued.push(item) === 1) setImmediate(flush);
  };
}

function serialize(thrown: unknown): SerializedError {
  // The code of a shortage would not arrive otherwise, and the caller can try again.
  const error = shortageOf(thrown) ?? thrown;
  if (!(error instanceof ServiceError)) return { stack: error instanceof Error ? (error.stack ?? '') : String(error) };
  const { code, message, failures, headers } = error;
  return { code, message, failures, headers };
}

function deserialize(error: SerializedError): Error {
  if ('code' in error) return new ServiceError(error.code, error.message, error.failures, error.headers);
  const [message = ''] = error.stack.split('\n', 1);
  return Object.assign(new Error(message), { stack: error.stack });
}

/** A write under way may have been committed nevertheless. */
function primaryEnded(): ServiceError {
  const message = 'The service is being restarted.';
  return new ServiceError('unavailable', message, [], { 'Retry-After': '1' });
}
