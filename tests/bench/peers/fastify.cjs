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
const texts = (...names) => Object.fromEntries(names.map((name) => [name, { type: ['string', 'null'] }]));
const flag = { type: 'boolean' };
const game = {
  type: 'object',
  properties: {
    ...texts('id', 'object_type', 'date_created', 'date_updated', 'name', 'designer_id', 'description'),
    ...texts('short_description', 'cool_factor_1', 'cool_factor_2', 'cool_factor_3', 'website_uri', 'logo_id'),
    ...texts('backdrop_id', 'advertisement_id', 'category', 'min_age', 'play_time', 'edit_uri'),
    ...{ min_players: { type: 'integer' }, max_players: { type: 'integer' } },
    ...{ enable_uv_coating: flag, enable_linen_texture: flag, public: flag },
  },
};
const changed = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    game_id: text,
    identity: text,
    quantity: { type: 'integer', minimum: 1, maximum: 99 },
  },
};

const created = { ...changed, required: ['name', 'game_id'] };

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
  addReads();
  addWrites();
  await app.listen({ port: 0, host: '127.0.0.1' });
  announce(app.server.address().port);
}

function addReads() {
  const one = { ...box, properties: { ...box.properties, game } };
  app.get('/api/boxtop/:id', { schema: { response: { 200: one } } }, (req, reply) => {
    const withGame = req.query._include_related_objects === 'game';
    const found = withGame ? store.findWithGame(req.params.id) : store.find(req.params.id, userOf(req));
    if (found === null) reply.code(404).send({ code: 'not_found' });
    else reply.send(found);
  });
  const page = { type: 'object', properties: { items: { type: 'array', items: box } } };
  app.get('/api/game/:id/boxtops', { schema: { response: { 200: page } } }, (req, reply) => {
    reply.send(store.list(req.params.id, Number(req.query._items_per_page)));
  });
}

function addWrites() {
  const write = (status, work) => (req, reply) => {
    const user = userOf(req);
    if (user === null) return void reply.code(401).send({ code: 'login_required' });
    const answer = work(req, user);
    if (answer === null) reply.code(403).send({ code: 'forbidden' });
    else reply.code(status).send(answer);
  };
  const create = write(201, ({ body }, user) => store.create(body, user));
  const update = write(200, ({ params, body }, user) => store.update(params.id, body, user));
  const remove = write(200, ({ params }, user) => store.remove(params.id, user));
  const success = { type: 'object', properties: { success: { type: 'integer' } } };
  app.post('/api/boxtop', { schema: { body: created, response: { 201: box } } }, create);
  app.put('/api/boxtop/:id', { schema: { body: changed, response: { 200: box } } }, update);
  app.delete('/api/boxtop/:id', { schema: { response: { 200: success } } }, remove);
}

const userOf = (req) => store.userOf(req.headers.authorization);

main();
