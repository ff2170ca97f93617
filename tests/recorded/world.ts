// The service for recording and replaying a run: three people with sessions, and a receiver of callbacks.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pngSquare, SVG_HEXAGON } from '../../runtime/admin/demo/images.js';
import type { StartOptions } from '../../runtime/server/main.js';
import { startService } from '../support/service.js';
import { type RawAnswer, type RecordedAnswer, type RecordedRequest, send } from './exchange.js';
import { createNames, type Names, recordable } from './names.js';

export type Wire = StartOptions['wire'];

export interface RecordedWorld {
  readonly names: Names;
  /** The users with a session; the last one is an administrator. */
  readonly people: readonly string[];
  /** Sends a recorded request and returns the response in recorded form. */
  exchange(request: RecordedRequest): Promise<RecordedAnswer>;
  /** The API document as this service serves it. */
  document(): Promise<unknown>;
  close(): Promise<void>;
}

type Watch = (asked: RecordedRequest, answer: RawAnswer) => void;

export const PEOPLE = ['ada', 'bob', 'root'] as const;

const FILES: Readonly<Record<string, Buffer>> = {
  png: pngSquare(200, 30, 30),
  svg: SVG_HEXAGON,
  text: Buffer.from('Rules: have fun.\n'),
  empty: Buffer.alloc(0),
};

/** @param watch gets every response as received, with the path that was requested */
export async function startWorld(wire: Wire, watch: Watch = () => undefined): Promise<RecordedWorld> {
  const service = await startService({ wire, webhookAllowCidrs: ['127.0.0.0/8'] });
  const receiver = createServer((req, res) => req.resume().on('end', () => res.end('ok')));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const names = createNames();
  let number = 0;
  names.add('<receiver>', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
  for (const person of PEOPLE) {
    const { id, session } = await service.user(person, person === 'root');
    names.hide(id, person);
    names.add(`<${person}>`, session);
  }
  return {
    names,
    people: PEOPLE,
    async exchange(request) {
      const { session, ...rest } = request;
      const path = names.reveal(rest.path);
      const parameters = rest.parameters && names.reveal(rest.parameters);
      const id = session && names.reveal(`<${session.of}>`);
      const asked = { ...request, path, ...(parameters && { parameters }) };
      const answer = await send(service.address, asked, id, FILES);
      watch(asked, answer);
      return recordable(answer, names, String(number++));
    },
    document: async () => (await fetch(`${service.address}/openapi.json`)).json(),
    async close() {
      await service.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
