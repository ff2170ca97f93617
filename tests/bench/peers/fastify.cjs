// Fastify as its users run it: log, limiter, metrics, and schemas of bodies and responses. With `bare` as second argument,
// schemas alone.

const fastify = require('fastify');
const rateLimit = require('@fastify/rate-limit');
const prometheus = require('prom-client');
const { announce, open, prepare } = require('./database.cjs');

const [, , file, kind] = process.argv;
const store = prepare(open(file));
const app = fastify(kind === 'bare' ? {} : { logger: { stream: process.stderr } });

const text = { type: 'string' };
const box = {
  type: 'object',
  properties: {
    ...{ id: text, identity: text, date_created: text, date_updated: text, name: text, game_id: text },
    ...{ quantity: { type: 'integer' }, object_type: text, wing_object_type: text },
    ...{ top_id: { type: ['string', 'null'] }, has_proofed_top: { type: 'boolean' } },
  },
};
const sent = {
  type: 'object',
  required: ['name', 'game_id'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    game_id: text,
    identity: text,
    quantity: { type: 'integer', minimum: 1, maximum: 99 },
  },
};

async function main() {
  if (kind !== 'bare') {
    prometheus.collectDefaultMetrics();
    const durations = new prometheus.Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to the response.',
      labelNames: ['method', 'route', 'status'],
    });
    await app.register(rateLimit, { max: 1e9, timeWindow: 60_000 });
    app.addHook('onResponse', async (req, reply) => {
      const labels = { method: req.method, route: req.routeOptions.url, status: reply.statusCode };
      durations.observe(labels, reply.elapsedTime / 1000);
    });
  }
  app.get('/api/boxtop/:id', { schema: { response: { 200: box } } }, (req, reply) => {
    const found = store.find(req.params.id, store.userOf(req.headers.authorization));
    if (found === null) reply.code(404).send({ code: 'not_found' });
    else reply.send(found);
  });
  const page = { type: 'object', properties: { items: { type: 'array', items: box } } };
  app.get('/api/game/:id/boxtops', { schema: { response: { 200: page } } }, (req, reply) => {
    reply.send(store.list(req.params.id, Number(req.query._items_per_page)));
  });
  app.post('/api/boxtop', { schema: { body: sent, response: { 201: box } } }, (req, reply) => {
    const user = store.userOf(req.headers.authorization);
    if (user === null) return void reply.code(401).send({ code: 'login_required' });
    const made = store.create(req.body, user);
    if (made === null) reply.code(403).send({ code: 'forbidden' });
    else reply.code(201).send(made);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  announce(app.server.address().port);
}

main();
