// A server never commits a migration that it could not run on, and names the code that prevents it; an older server reports
// that the database is newer. Names that are not in the table of needs are free.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES } from '../../runtime/contract/needs.js';
import { readSchema } from '../../runtime/schema/compact.js';
import { openService, type ServiceOptions } from '../../runtime/server/open-service.js';
import { PNG } from '../files/samples.js';
import { projectFiles } from '../generator/project-files.js';
import { HERE, serveSpec } from '../maintainer/generated.js';
import { clientOf, upload } from '../support/client.js';
import { writeIdentified } from '../support/identified.js';
import { runHere } from '../support/in-process.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { Project, renameField, renameResource } from './edits.js';

const SCHEMA = readSchema(readFileSync(join(ROOT, 'generated', 'schema.json'), 'utf8'));
const NOW = 1_790_000_000_000;
const PLAYED: Readonly<Record<string, string>> = { '@principal': 'user', '@upload': 'file' };

const options = (database: string, generated: string | null): ServiceOptions => ({
  database,
  generated,
  wire: 'plain',
  owner: true,
  random: randomBytes,
});

/** What gen wrote before the needs were checked: our definitions, and a schema with one renamed column. */
function renamedColumn(table: string, column: string): string {
  const folder = temporaryFolder('renamed');
  mkdirSync(folder, { recursive: true });
  const tables = SCHEMA.tables.map((each) =>
    each.name === table
      ? {
          ...each,
          columns: each.columns.map((one) =>
            one.name === column ? { ...one, name: `${column}_renamed`, formerly: [column] } : one,
          ),
        }
      : each,
  );
  const compiled = JSON.stringify(join(ROOT, 'dist', 'generated', 'index.js'));
  writeFileSync(join(folder, 'index.js'), `module.exports = require(${compiled});`);
  writeFileSync(join(folder, 'openapi.json'), '{}');
  writeIdentified(folder, { ...SCHEMA, revision: SCHEMA.revision + 1, tables });
  return folder;
}

const COLUMNS = MODULES.flatMap(({ module, resources }) =>
  Object.entries(resources).flatMap(([role, { fields }]) =>
    Object.entries(fields).flatMap(([name, need]) => {
      const column = need.to === undefined ? name : `${name}_id`;
      return need.optional ? [] : [{ module, table: PLAYED[role] ?? role, column }];
    }),
  ),
);

describe('F04: a migration the server could not run on is not committed', () => {
  const database = join(temporaryFolder('needs'), 'data.db');
  let before: Buffer;
  beforeAll(async () => {
    (await openService(options(database, null), NOW)).engine.close();
    before = readFileSync(database);
  });

  test.each(COLUMNS.map((one) => [`${one.table}.${one.column} (${one.module})`, one] as const))(
    '%s',
    async (_, one) => {
      const start = openService(options(database, renamedColumn(one.table, one.column)), NOW);
      await expect(start).rejects.toThrow(`which ${one.module} needs to`);
      expect(readFileSync(database).equals(before)).toBe(true);
    },
  );

  test.each([['apply'], ['rehearse']])('migrate %s refuses too', async (command) => {
    const generated = renamedColumn('webhook', 'callback_uri');
    const ended = await runHere(['migrate', command, '--database', database, '--generated', generated], ROOT);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /webhook is missing the field "callback_uri", which runtime\/webhooks needs to send web hooks: the database is left unchanged/,
    );
    expect(readFileSync(database).equals(before)).toBe(true);
  });

  test('the service of the last commit still starts', async () => {
    const service = await openService(options(database, null), NOW);
    expect(service.principal.name).toBe('user');
    service.engine.close();
  });
});

describe('F05: resources of another domain that only share a name with ours', () => {
  const head = (name: string): string => `resource: ${name}\ntitle: Test\nsummary: Test.\nplural: ${name}s\n`;
  const fields = 'fields: { label: { kind: text, description: What it says. } }\noperations: { create: session }\n';
  const NAMES = ['receipt', 'designer', 'apikey', 'webhook'];

  test('they are stored like any other, and a login needs no API key from them', async () => {
    const overlay = temporaryFolder('namesakes');
    mkdirSync(join(overlay, 'resources'), { recursive: true });
    for (const name of NAMES) writeFileSync(join(overlay, 'resources', `${name}.yaml`), head(name) + fields);
    const served = await serveSpec(join(HERE, 'library'), overlay);
    try {
      const { session } = await served.user('ada');
      const send = clientOf(served.server.address);
      for (const name of NAMES) {
        const { status, body } = await send('POST', `/api/${name}`, { session, parameters: { label: 'x' } });
        expect([name, status, body.label]).toEqual([name, 201, 'x']);
      }
    } finally {
      await served.stop();
    }
  });
});

describe('F04: names that are not in the table of needs are free', () => {
  /** Resources and fields that hand-written code could use, but must not; each is renamed. */
  function everythingElseRenamed(): string {
    const project = new Project(projectFiles());
    const needed = new Set(
      MODULES.flatMap(({ resources }) =>
        Object.entries(resources).flatMap(([role, { fields }]) =>
          Object.keys(fields).map((name) => `${PLAYED[role] ?? role}.${name}`),
        ),
      ),
    );
    const fields = ['file.file_size', 'file.image_width', 'file.file_uri', 'file.folder'];
    for (const path of [...fields, 'apikey.name', 'apikey.uri', 'webhook.name', 'designer.name', 'folder.name']) {
      const [resource = '', field = ''] = path.split('.');
      expect(needed.has(path)).toBe(false);
      renameField(project, resource, field, `${field}_too`);
    }
    const resources = { user: 'person', file: 'asset', folder: 'drawer', boxtop: 'lid', designerassociate: 'partner' };
    for (const [from, to] of Object.entries(resources)) renameResource(project, from, to);
    const folder = temporaryFolder('free');
    writeFiles(folder, project.texts());
    writeFileSync(join(folder, 'spec', 'ledger.json'), readFileSync(join(ROOT, 'spec', 'ledger.json')));
    return join(folder, 'spec');
  }

  test('the service starts and works, and an older one reports that the database is newer', async () => {
    const served = await serveSpec(everythingElseRenamed());
    try {
      const { address } = served.server;
      const send = clientOf(address);
      const { session } = await served.user('ada');
      const create = async (resource: string, parameters: object): Promise<string> => {
        const { status, body } = await send('POST', `/api/${resource}`, { session, parameters: { ...parameters } });
        expect([resource, status]).toEqual([resource, 201]);
        return body.id;
      };
      const designer_id = await create('designer', { name_too: 'Acme' });
      const game_id = await create('game', { name: 'Chess', designer_id });
      const top_id = await upload(address, session, { name: 'red.png', bytes: PNG }, 'asset');
      const lid = await create('lid', { name: 'Lid', game_id, top_id });
      const shown = await send('GET', `/api/lid/${lid}`, { session });
      expect((await fetch(`${address}${shown.body.top.file_uri_too}`)).status).toBe(200);
      const api_key_id = await create('apikey', { name_too: 'shop' });
      await create('webhook', {
        event: 'ItemSold',
        owner_class: 'Designer',
        owner_id: designer_id,
        api_key_id,
        callback_uri: 'https://example.com/sold',
      });
    } finally {
      await served.stop();
    }
    const older = openService(options(join(served.folder, 'data', 'punchboard.db'), null), NOW);
    await expect(older).rejects.toThrow(
      /^the database was created by a newer version \(revision \d+, this server knows \d+\)/,
    );
  });
});
