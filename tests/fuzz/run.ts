// Sends hostile requests over many connections and collects failures.

import { generated } from '../../generated/index.js';
import { type Chance, chanceOf } from '../support/chance.js';
import type { Contract } from './contract.js';
import { endpointsOf } from './endpoints.js';
import { requestOf } from './requests.js';
import { createLine, type Reply, type Sendable } from './wire.js';
import type { World } from './world.js';

export interface Report {
  readonly requests: number;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Responses of 500 and above, and complete requests without a response, each with the bytes that caused it. */
  readonly wrong: readonly string[];
}

const CONNECTIONS = 32;
const MAX_SHOWN = 20;

export interface FuzzTrial {
  readonly requests: number;
  /** Determines every draw; the ids and cursors to draw from also depend on timing. */
  readonly seed: number;
  /** The endpoints of the project's definitions by default. */
  readonly endpoints?: ReturnType<typeof endpointsOf>;
  /** A contract that the responses must also conform to. */
  readonly contract?: Contract;
}

export async function fuzz(world: World, trial: FuzzTrial): Promise<Report> {
  const { requests, seed, endpoints = endpointsOf(generated.definitions), contract } = trial;
  const statuses: Record<number, number> = {};
  const wrong: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const line = createLine(world.port);
    while (next < requests && wrong.length < MAX_SHOWN) {
      const number = next++;
      const request = requestOf(endpoints, world, chanceOf(seed + number));
      const replies = await line.exchange(request);
      for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1;
      wrong.push(
        ...[...failuresOf(request, replies), ...violationsIn(request, replies, contract)].map(
          (what) => `request ${number} of seed ${seed}: ${what}`,
        ),
      );
      learn(world, replies, chanceOf(number));
    }
    line.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { requests: next, statuses, wrong };
}

function failuresOf({ bytes, answers }: Sendable, replies: readonly Reply[]): readonly string[] {
  const sent = JSON.stringify(bytes.toString('latin1').slice(0, 4000));
  const failed = replies.filter(({ status }) => status >= 500).map(({ status, body }) => `${status} ${body}\n${sent}`);
  const closed = replies.some(({ head }) => /connection: close/i.test(head));
  return replies.length < answers && !closed ? [...failed, `${replies.length} of ${answers} answers\n${sent}`] : failed;
}

/** A response to something that is not HTTP, or to an unknown Expect, does not come from the service itself. */
function violationsIn({ asked, bytes }: Sendable, replies: readonly Reply[], contract?: Contract): readonly string[] {
  if (asked === undefined || contract === undefined) return [];
  const isFromNode = ({ status, head }: Reply) => status === 417 || /^connection: close/im.test(head);
  const serviceReplies = replies.filter((reply) => /^x-request-id:/im.test(reply.head) || !isFromNode(reply));
  const sent = JSON.stringify(bytes.toString('latin1').slice(0, 1000));
  return serviceReplies.flatMap((reply) => contract.violations(asked, reply)).map((what) => `${what}\n${sent}`);
}

/** Collects ids and cursors of the responses, so that later requests reach deeper. */
function learn(world: World, replies: readonly Reply[], chance: Chance): void {
  for (const { head, body } of replies) {
    const [, resource, id] = /^location: \/api\/(\w+)\/(\S+)/im.exec(head) ?? [];
    if (resource !== undefined && id !== undefined) world.pool.add(resource, id);
    const cursor = /"next_cursor":"([^"]+)"/.exec(body)?.[1];
    if (cursor !== undefined) world.cursors[Math.min(world.cursors.length, chance.below(50))] = cursor;
  }
}
