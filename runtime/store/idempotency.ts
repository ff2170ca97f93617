// Requests that are carried out once although they are sent several times (D50): the answer of a write is stored in its
// transaction, and repeated for the next request, which waits for the first to commit.

import { hash } from 'node:crypto';
import { ServiceError } from '../contract/errors.js';
import { placementOf } from '../contract/ids.js';
import { VERSION } from '../schema/version.js';
import type { Created, WrittenRecord } from './records.js';
import { allOf } from './sql/conditions.js';
import type { Dialect } from './sql/dialect.js';
import type { Pending, Transact, Unit } from './unit.js';

/** The idempotency key of a request, and a hash of its content. */
export interface IdempotencyKey {
  readonly key: string;
  /** The key as it was sent, if that was in quotes. */
  readonly sentAs?: string;
  readonly bodyHash: string;
}

/** Milliseconds for which an answer is stored. */
const ONCE_KEPT = 24 * 60 * 60 * 1000;

const REPLAY = 'isReplay' satisfies keyof Created;

/** The most answers that one step of pruning deletes. */
const ONCE_STEP = 500;

export interface KeyedRequest {
  readonly idempotencyKey: IdempotencyKey;
  /** Each user has their own keys. */
  readonly user: string;
  readonly now: number;
}

/** Carries out a write within a transaction and stores its answer, or returns the stored answer. */
export type WriteOnce = <T>(unit: Unit, request: KeyedRequest, write: () => Pending<T>) => Pending<T>;

export function createWriteOnce(dialect: Dialect): WriteOnce {
  const statements = storedAnswerStatements(dialect);
  return (unit, request, write) => {
    const under = (id: string, work: typeof write) => underId({ unit, statements, request, id }, work);
    return storedAnswerIds(request).reduce((work, id) => () => under(id, work), write)();
  };
}

/**
 * The ids of the stored answer. A key sent in quotes is stored under both forms, since servers from before D60, which may run
 * beside this one on PostgreSQL, look for the quoted form.
 */
function storedAnswerIds({ user, idempotencyKey: { key, sentAs } }: KeyedRequest): readonly string[] {
  return [key, ...(sentAs === undefined ? [] : [sentAs])].map((one) => hash('sha256', `${user} ${one}`, 'hex'));
}

interface UnderId {
  readonly unit: Unit;
  readonly statements: ReturnType<typeof storedAnswerStatements>;
  readonly request: KeyedRequest;
  readonly id: string;
}

function* underId<T>({ unit, statements, request, id }: UnderId, write: () => Pending<T>): Pending<T> {
  const { user, now } = request;
  const { bodyHash } = request.idempotencyKey;
  const one = { placement: placementOf(user), id };
  unit.hold(statements.forget, { ...one, before: now - ONCE_KEPT });
  const values = { user_id: user, body_hash: bodyHash, created: now, answer: '' };
  const claimed = yield* unit.row(statements.claim, { ...one, ...values });
  if (claimed !== undefined) {
    const answer = yield* write();
    unit.hold(statements.put, { ...one, answer: answerText(answer) });
    return answer;
  }
  const stored = yield* unit.row(statements.find, one);
  if (stored?.bodyHash !== bodyHash) {
    throw new ServiceError('idempotency_key_reused', 'This Idempotency-Key was used for another request.');
  }
  return answerAgain<T>(String(stored.answer));
}

/** The statements on the stored answers, over `@id` and its `@placement`. */
export function storedAnswerStatements(dialect: Dialect) {
  const one = allOf([dialect.placed('t', '@placement'), 't.id = @id']);
  const columns = ['id', 'user_id', 'body_hash', 'created', 'answer'];
  return {
    forget: `DELETE FROM once_answer AS t WHERE ${one} AND t.created <= @before`,
    claim: `${dialect.insertInto('once_answer', columns)} ON CONFLICT DO NOTHING RETURNING id`,
    find: `SELECT t.body_hash AS "bodyHash", t.answer FROM once_answer t WHERE ${one}`,
    prune: dialect.deleteUpTo('once_answer', 'created', { limit: ONCE_STEP }),
    put: `UPDATE once_answer AS t SET answer = @answer WHERE ${one}`,
  };
}

/** Deletes some of the expired answers. @returns true: there may be more */
export function createPruneOnce(dialect: Dialect, transact: Transact): (now: number) => Promise<boolean> {
  const { prune } = storedAnswerStatements(dialect);
  return async (now) => (await transact((unit) => unit.rows(prune, { before: now - ONCE_KEPT }))).length === ONCE_STEP;
}

/**
 * The text of a stored answer, without the mark of a replay. The answer of an action is stored as the text of the record, with
 * its version as the last member: servers older than row versions, which may run beside this one on PostgreSQL, expect a text,
 * and pass the member on.
 */
function answerText(answer: unknown): string {
  if (isWritten(answer) && answer.id === undefined) return JSON.stringify(versioned(answer));
  return JSON.stringify(answer, (name, value: unknown) => (name === REPLAY ? undefined : value));
}

function versioned({ text, version }: WrittenRecord): string {
  return version === undefined ? text : `${text.slice(0, -1)},"${VERSION}":${version}}`;
}

/** No field has that name, and if a nested value ended with such a member, another brace would follow. */
const VERSIONED = new RegExp(`,"${VERSION}":(\\d+)}$`);

/** A stored answer, marked as a replay so that it is not charged as a new write (D64). */
function answerAgain<T>(stored: string): T {
  const answer = parsed(stored);
  const written = (Array.isArray(answer) ? answer : [answer]).map(writtenIn);
  return (Array.isArray(answer) ? written : written[0]) as T;
}

function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    throw unknownAnswer();
  }
}

/** @param answer the record of a create, or the text that is stored for an action */
function writtenIn(answer: unknown): WrittenRecord & Partial<Created> {
  if (typeof answer === 'string') {
    const version = VERSIONED.exec(answer)?.[1];
    const text = answer.replace(VERSIONED, '}');
    return { text, ...(version === undefined ? {} : { version: Number(version) }) };
  }
  if (!isWritten(answer)) throw unknownAnswer();
  return { ...answer, [REPLAY]: true };
}

function isWritten(answer: unknown): answer is WrittenRecord & Partial<Created> {
  return typeof answer === 'object' && answer !== null && typeof (answer as Partial<WrittenRecord>).text === 'string';
}

/** A later version of the service may store answers that this one cannot read. */
function unknownAnswer(): ServiceError {
  const message =
    'Another version of the service carried out this request; send it again to get its answer from that version.';
  return new ServiceError('conflict', message, [], { 'Retry-After': '1' });
}
