import { hasPassword, isServerUrl, withoutPassword } from '../../runtime/store/database-url.js';

test.each([
  ['data/punchboard.db', false, false, 'data/punchboard.db'],
  ['data/postgres:x@y.db', false, false, 'data/postgres:x@y.db'],
  ['postgres://host/db', true, false, 'postgres://host/db'],
  ['postgresql://ada@host:5432/db', true, false, 'postgresql://ada@host:5432/db'],
  ['postgres://ada:se:cret@one,two:5433/db', true, true, 'postgres://ada@one,two:5433/db'],
  ['postgres://host/db?user=ada&password=secret&ssl=1', true, true, 'postgres://host/db?user=ada&password=***&ssl=1'],
  ['postgres://ada:se/cr#e?t@host/db', true, true, 'postgres://ada@host/db'],
  ['postgres://one:1,two:2/db?application_name=a@b', true, false, 'postgres://one:1,two:2/db?application_name=a@b'],
  ['postgres://one:1?application_name=a@b', true, false, 'postgres://one:1?application_name=a@b'],
  ['postgres://ada:@host/db', true, true, 'postgres://ada@host/db'],
])('%s', (database, server, password, shown) => {
  expect([isServerUrl(database), hasPassword(database), withoutPassword(database)]).toEqual([server, password, shown]);
});
