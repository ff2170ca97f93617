import type http from 'node:http';
import express from 'express';
import request from 'supertest';
import { ServiceError } from '../../runtime/contract/errors.js';
import { createDispatcher } from '../../runtime/http/dispatcher.js';
import { createLimits } from '../../runtime/http/limits.js';
import { resourceRoutes } from '../../runtime/http/resource-routes.js';
import { createResponder } from '../../runtime/http/respond.js';
import { createTable } from '../../runtime/http/routes.js';
import { createUploads } from '../../runtime/http/uploads.js';
import { appParts, OPERATIONS } from './fixture.js';

describe("in somebody else's Express app", () => {
  const serve = (before: express.RequestHandler) => {
    const serviceParts = appParts();
    const app = express();
    app.use(before);
    const dispatcher = createDispatcher({
      table: createTable([], resourceRoutes(serviceParts)),
      responder: createResponder(serviceParts),
      limits: createLimits(serviceParts.sessions, null),
      uploads: createUploads(serviceParts),
      bufferLimits: serviceParts.bufferLimits,
      store: serviceParts.store,
      files: serviceParts.files,
      clock: serviceParts.clock,
      quota: serviceParts.quota,
      roomForRecords: serviceParts.roomForRecords,
      address: () => '',
    });
    app.use('/games', dispatcher);
    app.use((_req, res) => void res.send('theirs'));
    return request(app);
  };

  test('the service answers its paths, the app all others', async () => {
    const theirs = serve((_req, _res, next) => next());
    expect((await theirs.put('/games/api/maker/m1').send({ a: 1 })).body).toMatchObject({
      id: 'm1',
      parameters: { a: 1 },
    });
    expect((await theirs.get('/games/api/nothing')).text).toBe('theirs');
    expect((await theirs.get('/api/maker/m1')).text).toBe('theirs');
  });

  test('a body that the app has already read is an error, not an endless wait', async () => {
    const theirs = serve(express.json());
    expect((await theirs.put('/games/api/maker/m1').send({ a: 1 })).status).toBe(500);
    expect((await theirs.get('/games/api/maker/m1')).status).toBe(200);
  });
});

test('a GET without query and body reaches its operation in the same turn', () => {
  const reached: string[] = [];
  const fetch = ({ id }: { id: string }) => {
    reached.push(id);
    throw new ServiceError('not_found', 'No.');
  };
  const serviceParts = appParts({ operations: { ...OPERATIONS, fetch } });
  const responder = { ...createResponder(serviceParts), error: () => void reached.push('answered') };
  const limits = createLimits(serviceParts.sessions, null);
  const table = createTable([], resourceRoutes(serviceParts));
  const parts = { ...serviceParts, table, responder, limits, uploads: createUploads(serviceParts), address: () => '' };
  const req = { method: 'GET', url: '/api/maker/m1', headers: { authorization: 'Bearer alive' } };
  createDispatcher(parts)(req as http.IncomingMessage, {} as http.ServerResponse, () => undefined);
  expect(reached).toEqual(['m1', 'answered']);
});
