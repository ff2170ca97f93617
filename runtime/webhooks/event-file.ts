// The file of `punchboard event publish`: from JSON text to an event, or to the place of the mistake. Pure.
import type { EmittedEvent } from './publish.js';

const TEXTS = ['event', 'owner_class', 'owner_id'] as const;
const NAMES: readonly string[] = [...TEXTS, 'payload'];

/** What the file says, or a sentence with what is wrong and where: `3:7: …` or `owner_id …`. */
export type EventFile = { readonly event: EmittedEvent } | { readonly problem: string };

/** Reads the envelope alone; whether the payload fits the event is for whoever publishes it. @param text JSON */
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
  return problems.length > 0 ? { problem: problems.join('; ') } : { event: value as EmittedEvent };
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: syntaxProblem(text, (error as Error).message) };
  }
}

/** The engine's message gives an offset, or quotes what stands around the place. */
function syntaxProblem(text: string, message: string): string {
  const said = /at position (\d+)/.exec(message)?.[1];
  if (said === undefined && !message.includes('end of JSON')) return message.replace(/\s+/g, ' ');
  const at = said === undefined ? text.length : Number(said);
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}: ${message.replace(/(?: in JSON)? at position.*$/s, '')}`;
}
