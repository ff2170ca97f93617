// The routes that the Express peers have in common, over functions that may be asynchronous: `userOf`, `find`, `findWithGame`,
// `list`, `create`, `update`, `remove`.

const express = require('express');
const { announce } = require('./database.cjs');

/** Log, limiter, metrics and body parser, as users have them in front of their routes; of a `bare` one the parser alone. */
function serve(store, kind) {
  const app = express();
  if (kind !== 'bare') observe(app);
  app.use(express.json());
  const user = (req) => store.userOf(req.headers.authorization);
  app.get('/api/boxtop/:id', async (req, res) => {
    const withGame = req.query._include_related_objects === 'game';
    const box = withGame ? await store.findWithGame(req.params.id) : await store.find(req.params.id, await user(req));
    if (box === null) res.status(404).json({ code: 'not_found' });
    else res.json(box);
  });
  app.get('/api/game/:id/boxtops', async (req, res) => {
    res.json(await store.list(req.params.id, Number(req.query._items_per_page)));
  });
  const write = (status, work) => async (req, res) => {
    const caller = await user(req);
    if (caller === null) return res.status(401).json({ code: 'login_required' });
    const answer = await work(req, caller);
    return answer === null ? res.status(403).json({ code: 'forbidden' }) : res.status(status).json(answer);
  };
  app.post(
    '/api/boxtop',
    valid,
    write(201, (req, caller) => store.create(req.body, caller)),
  );
  app.put(
    '/api/boxtop/:id',
    valid,
    write(200, (req, caller) => store.update(req.params.id, req.body, caller)),
  );
  app.delete(
    '/api/boxtop/:id',
    write(200, (req, caller) => store.remove(req.params.id, caller)),
  );
  const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
}

/** A bare one does not load what it does not use: its start is measured too. */
function observe(app) {
  const { rateLimit } = require('express-rate-limit');
  const pinoHttp = require('pino-http');
  const prometheus = require('prom-client');
  prometheus.collectDefaultMetrics();
  const durations = new prometheus.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to the response.',
    labelNames: ['method', 'route', 'status'],
  });
  app.use(pinoHttp({}, process.stderr));
  app.use(rateLimit({ windowMs: 60_000, limit: 1e9 }));
  app.use((req, res, next) => {
    const end = durations.startTimer();
    res.on('finish', () => end({ method: req.method, route: req.route?.path ?? '', status: res.statusCode }));
    next();
  });
}

function valid(req, res, next) {
  const { name, quantity = 1 } = req.body;
  if (typeof name === 'string' && name.length <= 255 && Number.isInteger(quantity)) next();
  else res.status(422).json({ code: 'invalid' });
}

module.exports = { serve };
