// A minimal server, which shows how much of the time to the first answer is Node's own.

import http from 'node:http';
import type { AddressInfo } from 'node:net';

const server = http.createServer((_req, res) => res.end('hello'));
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
