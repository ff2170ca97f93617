// What the service may answer while something fails, and must answer afterwards.

import { type Answer, type Answers, ask, FEATURE_NAMES } from './features.js';
import type { World } from './world.js';

/** How often a feature is asked for again until it answers as before: a new connection takes a moment. */
const AGAIN = 20;

/** @returns what is wrong about the feature once the fault is gone */
export async function recovered(world: World, feature: string, expected: Answer): Promise<readonly string[]> {
  let answer = await ask(world, feature);
  for (let again = 0; again < AGAIN && !isEqual(answer, expected); again += 1) answer = await ask(world, feature);
  return isEqual(answer, expected) ? [] : [`afterwards ${shown(answer)}, usually ${shown(expected)}`];
}

/** What a server that cannot do something may answer. 0: it cuts a response that has begun. */
const TRUTHFUL = [0, 503, 507];
/** Texts that report a failure. */
const FAILURES: Readonly<Record<string, string>> = {
  'a test of a web hook': '0',
  'a sale': 'failed',
  'a backup': 'failed',
};

/** What is wrong about an answer during a fault. */
export function problemsDuring(answer: Answer, expected: Answer): readonly string[] {
  if (isEqual(answer, expected)) return [];
  const bugs = answer.statuses.filter((status) => status >= 500 && !TRUTHFUL.includes(status));
  if (bugs.length > 0) return [`answers ${shown(answer)}, usually ${shown(expected)}`];
  if (Number(answer.text) > Number(expected.text)) return [`doubles: ${shown(answer)}`];
  const at = answer.statuses.findIndex((status, index) => status !== expected.statuses[index]);
  const refused = at >= 0 && TRUTHFUL.includes(answer.statuses[at] ?? -1);
  const admitted = Object.values(FAILURES).includes(answer.text);
  return refused || admitted ? [] : [`hides the failure: ${shown(answer)}, usually ${shown(expected)}`];
}

function isEqual(one: Answer, other: Answer): boolean {
  return shown(one) === shown(other);
}

function shown({ statuses, text }: Answer): string {
  return `${statuses.join(' ')} ${text.slice(0, 200)}`;
}

export function differences(usual: Answers, now: Answers): readonly string[] {
  const names = FEATURE_NAMES.filter((name) => !isEqual(usual[name] as Answer, now[name] as Answer));
  return names.map(
    (name) => `at the end ${name}: ${shown(now[name] as Answer)}, usually ${shown(usual[name] as Answer)}`,
  );
}
