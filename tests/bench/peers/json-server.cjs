// json-server as its guide starts it, on any free port, with the box tops of the first game in memory.

const jsonServer = require('json-server');
const { announce, open, prepare } = require('./database.cjs');

const db = open(process.argv[2]);
const game = db.prepare("SELECT id FROM game WHERE name = 'Bench'").pluck().get();
const { items } = prepare(db).list(game, -1);
const app = jsonServer.create();
app.use(jsonServer.defaults());
app.use(jsonServer.rewriter({ '/api/*': '/$1' }));
app.use(jsonServer.router({ boxtop: items }));
const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
