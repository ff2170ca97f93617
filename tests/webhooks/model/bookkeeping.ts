// The model: what must be true of hooks according to the document, after the events that were observed. It shares no code
// with the module's policy, and has numbers of its own.

import type { OutcomeClass } from '../../../runtime/rules/delivery.js';

export const HOUR = 3_600_000;
const MAIL_AT = 5;
const HELD_FROM = 100;
const GONE_AT = 1000;

export type Type = 'subscribe' | 'unsubscribe' | 'data' | 'test';

export interface ModelDelivery {
  readonly type: Type;
  /** Null until the row was seen. */
  id: string | null;
  message: string | null;
  failed: number;
  lastFailure: number | null;
  due: number;
  /** POSTs seen, outcomes recorded, and attempts lost in a crash. */
  posts: number;
  settled: number;
  lost: number;
  inFlight: boolean;
}

export interface ModelHook {
  readonly id: string;
  readonly event: string;
  readonly ownerClass: string;
  readonly owner: string;
  readonly user: string;
  uri: string;
  key: string | null;
  /** Failed callbacks since the last successful one. */
  count: number;
  mails: number;
  exists: boolean;
  unsubscribes: number;
  deliveries: ModelDelivery[];
}

export interface Model {
  readonly hooks: Map<string, ModelHook>;
}

/** How an attempt ended, and when, in epoch milliseconds. */
export interface EndedDelivery {
  readonly class: OutcomeClass;
  readonly at: number;
}

export function addHook(model: Model, hook: Omit<ModelHook, InitialState>, now: number): ModelHook {
  const added: ModelHook = { ...hook, count: 0, mails: 0, exists: true, unsubscribes: 0, deliveries: [] };
  model.hooks.set(hook.id, added);
  expectDelivery(added, 'subscribe', now);
  return added;
}
type InitialState = 'count' | 'mails' | 'exists' | 'unsubscribes' | 'deliveries';

/** Adds a delivery whose row must be in the tables. */
export function expectDelivery(hook: ModelHook, type: Type, now: number): ModelDelivery {
  const delivery: ModelDelivery = {
    type,
    id: null,
    message: null,
    failed: 0,
    lastFailure: null,
    due: now,
    posts: 0,
    settled: 0,
    lost: 0,
    inFlight: false,
  };
  hook.deliveries.push(delivery);
  return delivery;
}

/** Ends a hook that its user deleted, that was deleted with its owner, or that failed too often. */
export function endHook(hook: ModelHook, now: number): void {
  hook.exists = false;
  hook.unsubscribes += 1;
  hook.deliveries = [];
  expectDelivery(hook, 'unsubscribe', now);
}

/** Applies an outcome that was recorded. */
export function applyOutcome(hook: ModelHook, delivery: ModelDelivery, ended: EndedDelivery): void {
  delivery.inFlight = false;
  delivery.settled += 1;
  if (ended.class === 'internal') {
    if (delivery.type === 'test') drop(hook, delivery);
    else delivery.due = ended.at;
  } else if (ended.class === 'success') applySuccess(hook, delivery);
  else applyFailure(hook, delivery, ended.at);
}

function applySuccess(hook: ModelHook, delivery: ModelDelivery): void {
  drop(hook, delivery);
  if (delivery.type === 'unsubscribe') return;
  hook.count = 0;
  for (const other of hook.deliveries) {
    if (other.lastFailure !== null) other.due = Math.min(other.due, other.lastFailure + HOUR);
  }
}

function applyFailure(hook: ModelHook, delivery: ModelDelivery, at: number): void {
  if (delivery.type === 'unsubscribe') {
    drop(hook, delivery);
    return;
  }
  hook.count += 1;
  if (delivery.type === 'test') drop(hook, delivery);
  delivery.failed += 1;
  delivery.lastFailure = at;
  delivery.due = at + hook.count * HOUR;
  if (hook.count === MAIL_AT && hook.mails === 0) hook.mails = 1;
  if (hook.count === GONE_AT) endHook(hook, at);
}

function drop(hook: ModelHook, delivery: ModelDelivery): void {
  hook.deliveries = hook.deliveries.filter((other) => other !== delivery);
}

/** Whether the rules let this delivery be attempted at `now`. */
export function mayStart(hook: ModelHook, { type, failed: failures, due }: ModelDelivery, now: number): boolean {
  if (type === 'test') return false;
  return due <= now && (failures === 0 || hook.count < HELD_FROM);
}

export function deliveryOf(model: Model, id: string): { hook: ModelHook; delivery: ModelDelivery } | undefined {
  for (const hook of model.hooks.values()) {
    const delivery = hook.deliveries.find((each) => each.id === id);
    if (delivery !== undefined) return { hook, delivery };
  }
  return undefined;
}
