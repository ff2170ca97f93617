// What there is to compare with: node:http and one prepared statement, no Express, no parameters, no sessions.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { cpuLine, RECORD, recordOf } from './record.js';

const db = new Database(process.argv[2] ?? '', { readonly: true });
const find = db.prepare<[string], object>(RECORD);

const server = http.createServer((req, res) => {
  if (req.url === '/metrics') {
    res.end(cpuLine());
    return;
  }
  const row = find.get((req.url ?? '').slice('/api/boxtop/'.length));
  const body = JSON.stringify(row === undefined ? { error: 'not_found' } : recordOf(row));
  res.writeHead(row === undefined ? 404 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(body);
});
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
