// A server to compare with: plain Express as its guide shows it, with the same prepared statement.

import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import express from 'express';
import { RECORD, recordOf } from './record.js';

const db = new Database(process.argv[2] ?? '', { readonly: true });
const find = db.prepare<[string], object>(RECORD);

const app = express();
app.get('/api/boxtop/:id', (req, res) => {
  const row = find.get(req.params.id);
  if (row === undefined) res.status(404).json({ error: 'not_found' });
  else res.json(recordOf(row));
});
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
