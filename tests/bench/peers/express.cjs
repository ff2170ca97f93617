// Express as its users run it: body parser, log, limiter and metrics in front of routes that answer with res.json.
// With `bare` as second argument, routes and body parser alone.

const express = require('express');
const { rateLimit } = require('express-rate-limit');
const pinoHttp = require('pino-http');
const prometheus = require('prom-client');
const { announce, open, prepare } = require('./database.cjs');

const [, , file, kind] = process.argv;
const store = prepare(open(file));
const app = express();
if (kind !== 'bare') {
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
app.use(express.json());

app.get('/api/boxtop/:id', (req, res) => {
  const box = store.find(req.params.id, store.userOf(req.headers.authorization));
  if (box === null) res.status(404).json({ code: 'not_found' });
  else res.json(box);
});
app.get('/api/game/:id/boxtops', (req, res) => {
  res.json(store.list(req.params.id, Number(req.query._items_per_page)));
});
app.post('/api/boxtop', (req, res) => {
  const user = store.userOf(req.headers.authorization);
  if (user === null) return res.status(401).json({ code: 'login_required' });
  const { name, quantity = 1 } = req.body;
  if (typeof name !== 'string' || name.length > 255 || !Number.isInteger(quantity)) {
    return res.status(422).json({ code: 'invalid' });
  }
  const box = store.create(req.body, user);
  return box === null ? res.status(403).json({ code: 'forbidden' }) : res.status(201).json(box);
});

const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
