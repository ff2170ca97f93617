// Checks what the API document promises for each operation: a key sent twice, with another body and 20 times at the same time;
// a cursor that goes on and broken ones; values just within and just beyond each limit of a query; each declared status.
import { count } from '../support/counts.js';
import { type PromisedOperation, promisedOperations } from './document.js';
import { heldBack } from './held-back.js';
import { provoke, UNREACHED } from './provoke.js';
import { limitsOf } from './query-limits.js';
import { columnOf, fieldsOf, listsOf } from './reading.js';
import { bulkItems, type ValidRequest, validRequest } from './requests.js';
import { mark } from './service.js';
import { type PropertyTrial, type Section, text } from './trial.js';
import { Unmade } from './world.js';

const AT_THE_SAME_TIME = 20;

/** Calls `work` for the operations; those for which no valid request can be made are reported as untested. */
async function forEach(
  trial: PropertyTrial,
  filter: (operation: PromisedOperation) => boolean,
  work: (operation: PromisedOperation) => Promise<void>,
): Promise<void> {
  for (const operation of (await promisedOperations(trial)).filter(filter)) {
    try {
      await work(operation);
    } catch (error) {
      if (!(error instanceof Unmade)) throw error;
      trial.untested(operation.name, error.message);
    }
  }
}

/** Idempotency keys (D60). */
export const keys: Section = (trial) =>
  forEach(
    trial,
    ({ takesKey }) => takesKey,
    async (operation) => {
      await repeatedKey(trial, operation);
      await concurrentKeys(trial, operation);
      await brokenKeys(trial, operation);
    },
  );

function sendWithKey(trial: PropertyTrial, { person, ...asked }: ValidRequest, key: string, more: object = {}) {
  const sent = { ...asked.sent, ...more };
  return trial.world.service.request(person, { ...asked, sent, headers: { 'idempotency-key': key } });
}

async function repeatedKey(trial: PropertyTrial, operation: PromisedOperation): Promise<void> {
  const { findings } = trial;
  const request = await validRequest(trial, operation);
  const key = `key-${mark()}`;
  const first = await sendWithKey(trial, request, key);
  findings.outcome(`${operation.name} with a key`, 'ok', first.said);
  // The record is deleted, so that a second execution would be refused.
  await forget(trial, request, first.body);
  for (const again of [key, `"${key}"`]) {
    const second = await sendWithKey(trial, request, again);
    findings.outcome(
      `${operation.name} with the key ${again} again`,
      `${first.status} ${first.headers.get('location')} ${withoutToken(trial, first.text)}`,
      `${second.status} ${second.headers.get('location')} ${second.text}`,
    );
  }
  const other = await sendWithKey(trial, request, key, { [`_${mark()}`]: 'x' });
  findings.outcome(`${operation.name} with the key and another body`, 'idempotency_key_reused', other.said);
}

/** An answer as a repeated request gets it: a token is not stored. */
function withoutToken({ facts }: PropertyTrial, answer: string): string {
  const [name] = Object.entries(facts.fields).find(([, { kind }]) => kind === 'token') ?? [];
  return name === undefined ? answer : answer.replaceAll(new RegExp(`,"${name}":"[\\w-]+[.][\\w-]+"`, 'g'), '');
}

/** Deletes the record that was created or acted on. */
async function forget({ world }: PropertyTrial, { path }: ValidRequest, { id }: Readonly<Record<string, unknown>>) {
  const [, base = '', at] = /^(\/api\/\w+)(?:\/([^/]+))?/.exec(path) ?? [];
  await world.service.ask(world.admin, 'DELETE', `${base}/${at ?? id}`);
}

/**
 * One of the requests is executed. While it is under way, the others are asked to come later; another process waits for it,
 * and repeats its answer.
 */
async function concurrentKeys(trial: PropertyTrial, operation: PromisedOperation): Promise<void> {
  const { findings, world } = trial;
  const request = await validRequest(trial, operation);
  const key = `key-${mark()}`;
  const all = await heldBack(world.service.running, AT_THE_SAME_TIME, () => sendWithKey(trial, request, key));
  const done = all.filter(({ status }) => status < 300);
  // The number of uploads at the same time is limited.
  const later = all.filter(({ status, headers }) => [409, 429].includes(status) && headers.has('retry-after'));
  const texts = new Set(done.map((one) => withoutToken(trial, one.text)));
  const wrong = all.filter((one) => !done.includes(one) && !later.includes(one)).map((one) => one.said);
  findings.outcome(`${operation.name}, ${AT_THE_SAME_TIME} with one key`, '', wrong.join());
  findings.outcome(`answers of ${operation.name} with one key`, '1', String(texts.size));
}

/** An invalid key is refused before anything is done. */
async function brokenKeys(trial: PropertyTrial, operation: PromisedOperation): Promise<void> {
  const { findings } = trial;
  const request = await validRequest(trial, operation);
  for (const key of ['x'.repeat(256), 'a b', '']) {
    findings.outcome(
      `${operation.name} with the key "${key}"`,
      'malformed',
      (await sendWithKey(trial, request, key)).said,
    );
  }
  const longest = mark().padEnd(255, 'x');
  findings.outcome(`${operation.name} with a key of 255`, 'ok', (await sendWithKey(trial, request, longest)).said);
}

/** Cursors (D23): broken ones are refused, and that of a page leads to the next page. */
export const cursors: Section = (trial) =>
  forEach(
    trial,
    ({ query }) => query.some(({ name }) => name === '_cursor'),
    async (operation) => {
      const { world, findings } = trial;
      const { path } = await validRequest(trial, operation);
      await fillUp(trial, path);
      const ask = (query: Readonly<Record<string, string>>) => world.service.ask(world.admin, 'GET', path, query);
      for (const broken of ['x', 'WyIwYTAxIl0', '{}', '💥']) {
        findings.outcome(
          `${operation.name} with the cursor ${broken}`,
          '_cursor invalid',
          (await ask({ _cursor: broken })).said,
        );
      }
      const { body } = await ask({ _items_per_page: '100' });
      const all = idsIn(body);
      if (all.length < 2) return trial.untested(`the cursor of ${operation.name}`, 'there are not two records in it');
      const _items_per_page = String(Math.ceil(Math.min(all.length, count(5, 100)) / 2));
      const first = await ask({ _items_per_page });
      const second = await ask({ _items_per_page, _cursor: String(nextOf(first.body)) });
      const seen = [...idsIn(first.body), ...idsIn(second.body)];
      findings.outcome(`two pages of ${operation.name}`, text(all.slice(0, seen.length)), text(seen));
      const cursor = String(nextOf(first.body));
      findings.outcome(
        `${operation.name} with a cursor that is cut`,
        '_cursor invalid',
        (await ask({ _cursor: cursor.slice(0, -4) })).said,
      );
    },
  );

/** Creates two records for the list at the path. */
async function fillUp({ world, facts }: PropertyTrial, path: string): Promise<void> {
  const [, parent, id, name] = /^\/api\/(\w+)\/([^/]+)\/(\w+)$/.exec(path) ?? [];
  const list = listsOf(facts).find((one) => one.parent === parent && one.name === name);
  if (parent !== undefined && list === undefined) return;
  const where = Object.entries(list?.where ?? {}).filter(([field]) => !fieldsOf(facts)[field]?.read_only);
  const chosen = where.map(([field, value]) => [columnOf(facts, field), value] as const);
  const more = { ...(list && { [`${list.by}_id`]: id }), ...Object.fromEntries(chosen) };
  try {
    for (let at = 0; at < 2; at++) await world.make(facts.resource, world.owner, more);
  } catch (error) {
    // No two may be in one list.
    if (!(error instanceof Unmade)) throw error;
  }
}

function idsIn({ items }: Readonly<Record<string, unknown>>): readonly string[] {
  return ((items ?? []) as readonly { readonly id: string }[]).map(({ id }) => id);
}

function nextOf({ paging }: Readonly<Record<string, unknown>>): unknown {
  return (paging as { readonly next_cursor?: unknown } | undefined)?.next_cursor;
}

/** The limits of parameters in a query: a value at the limit is accepted, one step beyond it is refused. */
export const queries: Section = (trial) =>
  forEach(
    trial,
    ({ query }) => query.length > 0,
    async (operation) => {
      const { world, findings } = trial;
      const request = await validRequest(trial, operation);
      for (const { name, within, beyond } of operation.query.map(limitsOf)) {
        for (const [value, isRefused] of [
          ...within.map((one) => [one, false] as const),
          ...beyond.map((one) => [one, true] as const),
        ]) {
          const path = `${request.path}?${new URLSearchParams({ [name]: value })}`;
          const { said } = await world.service.request(world.admin, { ...request, path });
          const probe = `${operation.name} with ${name}=${value.slice(0, 40)}`;
          // A synonym is refused under the name of its parameter.
          if (isRefused) findings.given(`${probe} is refused`, /^\S+ invalid$/.test(said), said);
          else findings.given(`${probe} is valid`, !said.includes('invalid'), said);
        }
      }
    },
  );

/** A bulk create takes up to 100 records, and no more. */
export const bulks: Section = (trial) =>
  forEach(
    trial,
    ({ path }) => /\/bulk-[^/]+$/.test(path),
    async (operation) => {
      const { world, findings } = trial;
      for (const many of [0, 1, MOST_OF_BULK, MOST_OF_BULK + 1]) {
        const { person, ...asked } = await validRequest(trial, operation);
        const [list = ''] = Object.keys(asked.sent ?? {});
        const sent = { [list]: await bulkItems(trial, operation.path, many) };
        const { said } = await world.service.request(person, { ...asked, sent });
        const isTooMany = many < 1 || many > MOST_OF_BULK;
        findings.outcome(`${operation.name} with ${many}`, isTooMany ? `${list} invalid` : 'ok', said);
      }
    },
  );

/** The most records that a bulk create takes (D52). */
const MOST_OF_BULK = 100;

/** Every declared status is reached, here or by the sections before, or there is a reason why not. */
export const statuses: Section = (trial) =>
  forEach(
    trial,
    () => true,
    async (operation) => {
      const { findings } = trial;
      const reached = reachedOf(trial, operation);
      for (const status of operation.statuses.filter((one) => UNREACHED[one] === undefined && !reached.has(one))) {
        await provoke(trial, operation, status);
        const isReached = reachedOf(trial, operation).has(status);
        findings.given(`${operation.name} answers ${status}`, isReached, 'nothing reached it');
      }
    },
  );

/** A PATCH refuses the callers that the PUT refuses; the sections before try only the PUT with them. */
function reachedOf({ world }: PropertyTrial, { method, path }: PromisedOperation): ReadonlySet<number> {
  const methods = method === 'PATCH' ? `(?:PATCH|PUT(?=.* 403$))` : method;
  const pattern = new RegExp(`^${methods} ${path.replace(/\{\w+\}/g, '[^/ ]+')} (\\d+)$`);
  return new Set([...world.service.answers].flatMap((one) => Number(pattern.exec(one)?.[1] ?? Number.NaN)));
}
