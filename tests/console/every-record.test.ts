// Stored text is shown as text, even for types that are not in the tables of the source document: all texts of a record hold
// markup, and the pages that show the record escape them.

import { modelOf, SPEC } from '../access/project.js';
import { openWorld } from '../access/world.js';
import { records } from '../document/resources.js';
import { clientOf } from '../support/client.js';
import { shared } from '../support/shared.js';
import { visitorOf } from './visitor.js';

const MARKUP = `<b id="planted">&"'</b>`;

const world = shared(() => openWorld(modelOf(SPEC), { console: true }));

test('markup in a record of every other type is shown as text', async () => {
  const { session } = world.people.administrator;
  const { address, service } = world.running;
  const [send, visitor] = [clientOf(address), visitorOf(address, session)];
  const others = service.definitions.filter(({ name }) => !(name in records));
  for (const { name, parameters, operations } of others) {
    const id = world.holdings.owner[name] ?? '';
    const texts = Object.entries(parameters).filter(([, { kind }]) => kind === 'text');
    const planted: string[] = [];
    for (const [text] of texts) {
      const sent = { [text]: MARKUP, session_id: session };
      if ((await send('PUT', `/api/${name}/${id}`, { parameters: sent })).status === 200) planted.push(text);
    }
    if (operations.update !== null && 'name' in parameters)
      expect([name, planted]).toEqual([name, expect.arrayContaining(['name'])]);
    const page = `/console/records/${name}/${id}`;
    for (const path of [page, `${page}/delete`, `/console/records/${name}`]) {
      const { status, text } = await visitor.get(path);
      expect([path, status, /<b id=/.test(text)]).toEqual([path, 200, false]);
      if (planted.length > 0 && path === page) expect(text).toContain('planted');
    }
  }
  expect(others.length).toBeGreaterThan(20);
});
