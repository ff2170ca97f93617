// Results kept with the object that they were made from: a run after an edit makes again only what is made from what the
// edit changed, because what it left alone stays the same object. Nothing outlives the objects themselves.

/** Calls `make` again for an object only when one of the other arguments is not what it was the last time. */
export function remembered<K extends object, A extends readonly unknown[], V>(
  make: (key: K, ...others: A) => V,
): (key: K, ...others: A) => V {
  const results = new WeakMap<K, { readonly others: A; readonly value: V }>();
  return (key, ...others) => {
    const last = results.get(key);
    if (last !== undefined && isSame(last.others, others)) return last.value;
    const value = make(key, ...others);
    results.set(key, { others, value });
    return value;
  };
}

/** Asks a question, and notes it with its answer. @param name of the question; whatever has the same name has one answer */
export type Note<S> = <T>(name: string, ask: (source: S) => T) => T;

/**
 * Calls `make` again for an object only when the answer to a question that it asked of the source, or one of the further
 * arguments, is not what it was the last time: so no key has to say what it needs of the source.
 * @param noting the source, with each question noted
 * @param make asks all its questions before it returns
 */
export function rememberedByQuestions<K extends object, S, A extends readonly unknown[], V>(
  noting: (source: S, note: Note<S>) => S,
  make: (key: K, source: S, ...more: A) => V,
): (key: K, source: S, ...more: A) => V {
  const results = new WeakMap<K, Answered<S, A> & { readonly value: V }>();
  return (key, source, ...more) => {
    const last = results.get(key);
    if (last !== undefined && isSame(last.more, more) && isAnswered(last, source)) return last.value;
    const asked = new Map<string, Asked<S>>();
    const noted = noting(source, (name, ask) => {
      const answer = ask(source);
      asked.set(name, { ask, answer });
      return answer;
    });
    const value = make(key, noted, ...more);
    results.set(key, { asked: [...asked.values()], more, value });
    return value;
  };
}

interface Answered<S, A> {
  readonly asked: readonly Asked<S>[];
  readonly more: A;
}

interface Asked<S> {
  ask(source: S): unknown;
  readonly answer: unknown;
}

/** Whether the source still gives the same answers: equal ones, or lists of equal ones. */
function isAnswered<S>({ asked }: { readonly asked: readonly Asked<S>[] }, source: S): boolean {
  return asked.every(({ ask, answer }) => isEqual(ask(source), answer));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || (Array.isArray(one) && Array.isArray(other) && isSame(one, other));
}

/** Whether both lists hold the same objects in the same order. */
export function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

/** A map of which the entry that is looked up is one question; whatever else is done with it asks for all of it. */
export function notedMap<S, V>(
  name: string,
  mapOf: (source: S) => ReadonlyMap<string, V>,
  note: Note<S>,
): ReadonlyMap<string, V> {
  const entry = (key: string): V | undefined => note(`${name} ${key}`, (source) => mapOf(source).get(key));
  return new Proxy<ReadonlyMap<string, V>>(new Map(), {
    get(_, key) {
      if (key === 'get') return entry;
      const all = note(name, mapOf);
      const member: unknown = Reflect.get(all, key, all);
      return typeof member === 'function' ? member.bind(all) : member;
    },
  });
}
