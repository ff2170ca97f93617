// The real side: store, outbox, worker and policy over one SQLite database in memory, a clock that the history moves,
// and a receiver for each hook. Every POST is checked against the model as it arrives.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { openSimulatedService, SERVER, type SimulatedService } from '../../../runtime/admin/simulate/service.js';
import { behaviours } from '../../../runtime/resources/index.js';
import type { Attempt, Outcome, Post } from '../../../runtime/rules/delivery.js';
import { decide } from '../../../runtime/rules/policy.js';
import { refuseCallback } from '../../../runtime/rules/signature.js';
import { loadGenerated } from '../../../runtime/server/load-generated.js';
import type { Outbox } from '../../../runtime/store/outbox.js';
import { createWorker, type Worker } from '../../../runtime/webhooks/deliver/worker.js';
import type { Immediate } from '../../support/answers.js';
import { databaseOf } from '../../support/database.js';
import { applyOutcome, deliveryOf, HOUR, type Model, type ModelHook, mayStart } from './bookkeeping.js';
import { compare, identifyRows } from './compare.js';

/** How a receiver answers: with an outcome each time, not at all, or with success after one fault of our own. */
export type Manner = Outcome['class'] | 'silent' | 'own_fault_once';

export interface Shared {
  readonly service: SimulatedService;
  readonly ada: string;
  readonly boss: string;
  /** Receives the hooks of the current history that the outbox reports as due. */
  woken: (hooks: readonly string[]) => void;
  readonly seen: SeenState;
}

/** How often each rare case was reached, over all histories. */
export interface SeenState {
  posts: number;
  failures: number;
  mails: number;
  held: number;
  gone: number;
  lost: number;
  stale: number;
  withoutKey: number;
}

export const START = Date.UTC(2026, 0, 1);
/** Milliseconds that an answer takes. */
const TAKES = 7;
const DEADLINE = 10_000;
/** Milliseconds by which an attempt may come after its due time while the server runs. */
const SLACK = 2_000;

/** One database for all histories. */
export async function openShared(): Promise<Shared> {
  const loaded = loadGenerated(null);
  const shared: Pick<Shared, 'woken'> = { woken: () => undefined };
  const service = await openSimulatedService(loaded, { decide, unit: HOUR, random: randomBytes, behaviours }, START);
  service.outbox.onDue({ due: (hooks) => shared.woken(hooks), passedOver: () => undefined });
  const user = (username: string, admin: boolean) =>
    service.create('user', { username, password: '-', admin }, { user: null, now: START });
  const seen = { posts: 0, failures: 0, mails: 0, held: 0, gone: 0, lost: 0, stale: 0, withoutKey: 0 };
  return Object.assign(shared, { service, seen, ada: await user('ada', false), boss: await user('boss', true) });
}

interface HungPost {
  readonly post: Post;
  answer(outcome: Outcome): void;
}

export class World {
  now = START;
  designer: string | null = null;
  bossIsAdmin = true;
  /** By hook. */
  readonly manners = new Map<string, Manner>();
  /** Attempts whose process died, or whose hook was deleted, before their outcome was recorded. */
  orphans: Attempt[] = [];
  /** By delivery: POSTs that nobody has answered. */
  readonly hung = new Map<string, HungPost>();
  readonly service: SimulatedService;
  private readonly claimed = new Map<string, Attempt>();
  private worker: Worker;
  private fault: unknown = null;
  private woken = false;

  private constructor(
    readonly shared: Shared,
    readonly model: Model,
  ) {
    this.service = shared.service;
    this.worker = this.startWorker();
  }

  /** An empty history. */
  static async open(shared: Shared, model: Model): Promise<World> {
    const db = databaseOf(shared.service);
    for (const table of [
      'webhook_attempt',
      'webhook_lease',
      'webhook_delivery',
      'webhook_mail',
      'webhook',
      'apikey',
      'designer',
    ]) {
      db.exec(`DELETE FROM ${table}`);
    }
    db.exec(`UPDATE user SET admin = (username = 'boss')`);
    const world = new World(shared, model);
    world.designer = await shared.service.create('designer', { name: 'Ada' }, { user: shared.ada, now: START });
    return world;
  }

  /** The server runs for `milliseconds`. */
  async run(milliseconds: number): Promise<void> {
    const target = this.now + milliseconds;
    for (;;) {
      this.woken = false;
      const next = await this.worker.runOnce(this.now);
      await this.untilRecorded();
      if (this.woken || (next !== null && next <= this.now)) continue;
      if (this.now >= target) break;
      this.now = Math.max(this.now, Math.min(next ?? target, target));
    }
    this.checkNothingIsLate();
    this.compare();
  }

  /** The process dies and comes back `milliseconds` later. */
  async crash(milliseconds: number): Promise<void> {
    this.worker.stop();
    for (const [id] of this.hung) {
      const match = deliveryOf(this.model, id);
      const attempt = this.claimed.get(id);
      if (attempt !== undefined) this.orphans.push(attempt);
      // A test ends with the request that waited for it.
      if (match?.delivery.type === 'test') match.hook.deliveries = match.hook.deliveries.filter((d) => d.id !== id);
      else if (match?.delivery.inFlight) {
        match.delivery.inFlight = false;
        match.delivery.lost += 1;
        this.shared.seen.lost += 1;
      }
    }
    this.hung.clear();
    this.now += milliseconds;
    await this.service.outbox.recover(SERVER, this.now);
    this.worker = this.startWorker();
    this.compare();
  }

  /** A silent receiver answers at last. */
  async answer(delivery: string, outcome: Outcome): Promise<void> {
    const hung = this.hung.get(delivery);
    this.hung.delete(delivery);
    hung?.answer(outcome);
    await this.untilRecorded();
    this.compare();
  }

  compare(): void {
    if (this.fault !== null) throw this.fault;
    compare(databaseOf(this.service), this.model);
  }

  identify(hook: ModelHook): void {
    identifyRows(databaseOf(this.service), hook);
  }

  /** The hook is about to be deleted: no outcome of its attempts under way will be recorded. */
  orphan(hook: ModelHook): void {
    for (const { id, inFlight } of hook.deliveries) {
      const attempt = inFlight && id !== null ? this.claimed.get(id) : undefined;
      if (attempt !== undefined) this.orphans.push(attempt);
    }
  }

  /** Records the end of an attempt in the model, with the time that the attempt log holds. */
  ended = (attempt: Attempt, outcome: Outcome): void => {
    const match = deliveryOf(this.model, attempt.delivery);
    assert(match, 'an outcome was recorded of a delivery that should not exist');
    const logged = (this.service.outbox as Immediate<Outbox>).log(attempt.hook, 1)[0];
    assert(logged?.id === attempt.id && logged.outcome === outcome.class, 'the log misses an attempt');
    assert(logged.ended >= attempt.started && logged.ended <= this.now, 'an attempt ended at an impossible time');
    if (outcome.class === 'no_key') assert.equal(match.hook.key, null, 'S15: the hook has a key');
    else assert(match.delivery.posts > match.delivery.settled + match.delivery.lost, 'an outcome without a POST');
    if (outcome.class === 'no_key') match.delivery.posts += 1;
    const { mails, unsubscribes } = match.hook;
    applyOutcome(match.hook, match.delivery, { class: outcome.class, at: logged.ended });
    this.countSeen(outcome, { mail: match.hook.mails > mails, gone: match.hook.unsubscribes > unsubscribes });
    if (match.hook.count >= 100 && match.delivery.failed > 0) this.shared.seen.held += 1;
    if (match.hook.unsubscribes > unsubscribes) this.identify(match.hook);
  };

  private countSeen(outcome: Outcome, { mail, gone }: { readonly mail: boolean; readonly gone: boolean }): void {
    const { seen } = this.shared;
    if (outcome.class !== 'success' && outcome.class !== 'internal') seen.failures += 1;
    if (outcome.class === 'no_key') seen.withoutKey += 1;
    if (mail) seen.mails += 1;
    if (gone) seen.gone += 1;
  }

  /** Receives one POST: checks it against the model, then answers in the receiver's manner. */
  send = (post: Post): Promise<Outcome> => {
    try {
      return this.received(post);
    } catch (error) {
      this.fault ??= error;
      return Promise.resolve({ class: 'internal' });
    }
  };

  private received(post: Post): Promise<Outcome> {
    const match = deliveryOf(this.model, post.delivery);
    assert(match, 'I2, I7, S22: a POST of a delivery that is delivered, given up or cancelled');
    const { hook, delivery } = match;
    const form = Object.fromEntries(new URLSearchParams(post.body));
    const isForm = post.headers['content-type'] === 'application/x-www-form-urlencoded';
    const at = { now: this.now, tolerance: 1 };
    assert(hook.key !== null, 'S15: a POST without a key');
    assert.equal(refuseCallback(post, hook.key, at), null, 'I8: signature or timestamp of Standard Webhooks');
    assert.equal(isForm ? refuseCallback(form, hook.key, at) : null, null, 'I8: signature or epoch');
    assert.equal(post.headers['webhook-id'], post.delivery, 'D63: the id of the delivery');
    assert.equal(post.uri, hook.uri, 'I8: the address of the hook at the start');
    assert.equal(isForm ? form.message : post.body, delivery.message, 'I9: the message of the row');
    if (delivery.type !== 'test') {
      assert(mayStart(hook, delivery, this.now), `I3, I4: not due, or held at count ${hook.count}`);
      assert(!hook.deliveries.some((other) => other.inFlight && other.type !== 'test'), 'S29: two at a time');
    }
    this.shared.seen.posts += 1;
    delivery.posts += 1;
    delivery.inFlight = true;
    this.now += TAKES;
    const manner = this.manners.get(hook.id) ?? 'success';
    if (manner === 'silent') return new Promise((answer) => this.hung.set(post.delivery, { post, answer }));
    if (manner === 'own_fault_once') {
      this.manners.set(hook.id, 'success');
      return Promise.resolve({ class: 'internal' });
    }
    return Promise.resolve(outcomeOf(manner));
  }

  private startWorker(): Worker {
    const { outbox } = this.service;
    const worker: Worker = createWorker({
      outbox: {
        ...outbox,
        claim: async (...claim) => {
          const attempts = await outbox.claim(...claim);
          for (const attempt of attempts) this.claimed.set(attempt.delivery, attempt);
          return attempts;
        },
      },
      server: SERVER,
      send: (post) => (worker === this.worker ? this.send(post) : new Promise(() => undefined)),
      clock: () => this.now,
      capacity: 64,
      deadline: DEADLINE,
      wake: () => {
        this.woken = true;
      },
      observer: {
        attempted: (attempt, outcome) => this.guarded(() => this.ended(attempt, outcome)),
        stale: ({ hook, delivery }) =>
          this.guarded(() => assert(!deliveryOf(this.model, delivery), `an outcome of ${hook} was not recorded`)),
        failed: (error) => {
          this.fault ??= error;
        },
      },
    });
    this.shared.woken = (hooks) => worker.add(hooks);
    return worker;
  }

  private guarded(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.fault ??= error;
    }
  }

  /** Resolves when every answer is recorded. */
  private async untilRecorded(): Promise<void> {
    const waiting = () => [...this.hung.keys()].filter((id) => this.claimed.has(id)).length;
    while (this.worker.inFlight > waiting() && this.fault === null) await new Promise((next) => setImmediate(next));
    if (this.fault !== null) throw this.fault;
  }

  /** I4: what was due while the server ran has been attempted, unless its receiver holds up the hook. */
  private checkNothingIsLate(): void {
    for (const hook of this.model.hooks.values()) {
      const busy = hook.deliveries.some(({ inFlight, type }) => inFlight && type !== 'test');
      const late = hook.deliveries.filter((delivery) => mayStart(hook, delivery, this.now - SLACK));
      if (!busy && !this.hookIsHung(hook.id)) assert.equal(JSON.stringify(late), '[]', 'I4: due and not attempted');
    }
  }

  /** A deleted hook may still have a POST under way, which its last callback waits for. */
  private hookIsHung(hook: string): boolean {
    return [...this.hung.keys()].some((id) => this.claimed.get(id)?.hook === hook);
  }
}

function outcomeOf(manner: Outcome['class']): Outcome {
  return manner === 'status' ? { class: 'status', status: 503 } : { class: manner };
}
