// The message of a callback: ASCII JSON, written once and sent unchanged in every attempt (S25).

import type { CallbackType } from './delivery.js';
import { isStandard } from './signature.js';

/** The fields of a message from its hook, as it is when something happens (S21). */
export interface MessageHead {
  /** The web hook's. */
  readonly id: string;
  readonly owner_class: string;
  readonly owner_id: string;
  readonly event: string;
  readonly type: CallbackType;
}

/** The payload of types without one: an empty object, because the key is always present (S26). */
export const EMPTY_PAYLOAD = '{}';

/**
 * The message as JSON text with the document's keys in the document's order, in ASCII, so that no receiver's choice
 * of an encoding changes the bytes that were signed.
 * @param payload JSON text of one value, which the caller must ensure. It is never parsed here, however deep or large; only
 *   characters outside ASCII become \uXXXX escapes.
 */
export function messageText(head: MessageHead, payload: string): string {
  const { id, owner_class, owner_id, event, type } = head;
  const opened = JSON.stringify({ id, owner_class, owner_id, event, type }).slice(0, -1);
  return `${ascii(opened)},"payload":${ascii(payload)}}`;
}

/**
 * The message of a hook with the format `standard` (D63), around the message above, so that names in a payload cannot collide
 * with those of the service. Only a callback about the event itself has the event's name, so that no other is taken for it.
 * @param now when it happened, epoch milliseconds
 */
export function standardText(head: MessageHead, payload: string, now: number): string {
  const type = head.type === 'data' ? head.event : `webhook.${head.type}`;
  const opened = JSON.stringify({ type, timestamp: new Date(now).toISOString() }).slice(0, -1);
  return `${ascii(opened)},"data":${messageText(head, payload)}}`;
}

/** The message that both formats carry. */
export function messageIn(text: string): MessageHead & { readonly payload: unknown } {
  const message = JSON.parse(text);
  return isStandard(text) ? message.data : message;
}

/** The same from the body of a callback. */
export function messageOfBody(body: string): ReturnType<typeof messageIn> {
  return messageIn(isStandard(body) ? body : (new URLSearchParams(body).get('message') ?? ''));
}

/** JSON text allows these characters in strings only, where an escape means the same. */
function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
