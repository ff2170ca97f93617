// json-server as its guide starts it, on any free port.

const jsonServer = require('json-server');
const { announce } = require('./database.cjs');

const app = jsonServer.create();
app.use(jsonServer.defaults());
app.use(jsonServer.rewriter({ '/api/*': '/$1' }));
app.use(jsonServer.router(process.argv[2]));
const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
