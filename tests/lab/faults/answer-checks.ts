// What the service may answer while something fails, and must answer afterwards.

import { type Answer, type Answers, ask, FEATURE_NAMES } from './features.js';
import type { World } from './world.js';

/** How often a feature is requested again until it answers as before, since a new connection takes a moment. */
const RETRIES = 20;

/** @returns the problems of a feature after the fault */
export async function problemsAfter(world: World, feature: string, expected: Answer): Promise<readonly string[]> {
  let answer = await ask(world, feature);
  for (let at = 0; at < RETRIES && !isEqual(answer, expected); at += 1) answer = await ask(world, feature);
  return isEqual(answer, expected) ? [] : [`afterwards ${textOf(answer)}, usually ${textOf(expected)}`];
}

/** The statuses that may report a failure; 0 if the server cuts a response that has begun. */
const TRUTHFUL = [0, 503, 507];
/** Texts that report a failure. */
const FAILURES: Readonly<Record<string, string>> = {
  'a test of a web hook': '0',
  'a sale': 'failed',
  'a backup': 'failed',
};

/** @returns the problems of an answer during the fault */
export function problemsDuring(answer: Answer, expected: Answer): readonly string[] {
  if (isEqual(answer, expected)) return [];
  const bugs = answer.statuses.filter((status) => status >= 500 && !TRUTHFUL.includes(status));
  if (bugs.length > 0) return [`answers ${textOf(answer)}, usually ${textOf(expected)}`];
  if (Number(answer.text) > Number(expected.text)) return [`doubles: ${textOf(answer)}`];
  const at = answer.statuses.findIndex((status, index) => status !== expected.statuses[index]);
  const refused = at >= 0 && TRUTHFUL.includes(answer.statuses[at] ?? -1);
  const reported = Object.values(FAILURES).includes(answer.text);
  return refused || reported ? [] : [`hides the failure: ${textOf(answer)}, usually ${textOf(expected)}`];
}

function isEqual(one: Answer, other: Answer): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ statuses, text }: Answer): string {
  return `${statuses.join(' ')} ${text.slice(0, 200)}`;
}

export function differences(usual: Answers, now: Answers): readonly string[] {
  const names = FEATURE_NAMES.filter((name) => !isEqual(usual[name] as Answer, now[name] as Answer));
  return names.map(
    (name) => `at the end ${name}: ${textOf(now[name] as Answer)}, usually ${textOf(usual[name] as Answer)}`,
  );
}
