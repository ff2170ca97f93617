// Express with prepared statements.

const { open, prepare } = require('./database.cjs');
const { serve } = require('./routes.cjs');

const [, , file, kind] = process.argv;
serve(prepare(open(file)), kind);
