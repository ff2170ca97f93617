// The file of `punchboard event publish`: parses JSON text into an event, or finds the place of the mistake.

import type { PublishedEvent } from '../../rules/events.js';

const TEXTS = ['event', 'owner_class', 'owner_id'] as const;
const NAMES: readonly string[] = [...TEXTS, 'payload'];

/** The event in the file, or a sentence about what is wrong and where: `3:7: …` or `owner_id …`. */
export type EventFile = { readonly event: PublishedEvent } | { readonly problem: string };

/** Reads the envelope only; the outbox checks whether the payload fits the event. @param text JSON */
export function readEvent(text: string): EventFile {
  const parsed = parse(text);
  if ('problem' in parsed) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: `1:1: there must be one object with ${NAMES.join(', ')}` };
  }
  const sent = value as Record<string, unknown>;
  const problems = [
    ...Object.keys(sent).flatMap((name) =>
      NAMES.includes(name) ? [] : [`${name} is not known; there are ${NAMES.join(', ')}`],
    ),
    ...NAMES.flatMap((name) => (Object.hasOwn(sent, name) ? [] : [`${name} is required`])),
    ...TEXTS.flatMap((name) =>
      Object.hasOwn(sent, name) && typeof sent[name] !== 'string' ? [`${name} must be text`] : [],
    ),
  ];
  return problems.length > 0 ? { problem: problems.join('; ') } : { event: value as PublishedEvent };
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: syntaxProblem(text, (error as Error).message) };
  }
}

/** V8's message gives an offset, or quotes the text around the place. */
function syntaxProblem(text: string, message: string): string {
  const offset = /at position (\d+)/.exec(message)?.[1];
  if (offset === undefined && !message.includes('end of JSON')) return message.replace(/\s+/g, ' ');
  const at = offset === undefined ? text.length : Number(offset);
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}: ${message.replace(/(?: in JSON)? at position.*$/s, '')}`;
}
