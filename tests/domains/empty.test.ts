// N18: exactly what may be empty is documented and typed as such. Compares a record created with as few values as possible with
// the API document and the types of the client. Each kind that can be copied occurs as a field and as a copy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { KINDS, kindOf } from '../../generator/model/kinds/kinds.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';
import { compileAll, type Domain, makeDomain, prepare } from './bench.js';

const COPIED = KINDS.filter((kind) => kindOf({ kind }).copyable);
const values = (kind: string): object => (kind === 'enum' ? { values: ['some', 'others'] } : {});
const DEFAULTS: Readonly<Record<string, unknown>> = {
  text: 'x',
  integer: 1,
  decimal: '1',
  day: '2026-01-31',
  enum: 'some',
  url: 'https://example.com/',
};

/** One field of each kind that may be empty, and one that may not. */
const FIELDS = Object.fromEntries(
  COPIED.flatMap((kind) => [
    [`${kind}_empty`, { kind, ...values(kind) }],
    [`${kind}_full`, { kind, ...values(kind), default: DEFAULTS[kind] }],
  ]),
);

const owner = { kind: 'reference', to: 'person', default: 'session.user', place: true, list: true };

const RESOURCES: Readonly<Record<string, { readonly fields: object; readonly [key: string]: unknown }>> = {
  person: {
    principal: true,
    fields: {
      username: { kind: 'text', required: true, unique: true },
      password: { kind: 'password', required: true },
      email: 'text',
    },
    access: { edit: ['self'] },
  },
  art: { fields: { owner, ...FIELDS }, access: { edit: ['owner'] } },
  piece: {
    fields: {
      owner,
      art: { kind: 'reference', required: true, need: 'exists' },
      other: { kind: 'reference', to: 'art', need: 'exists' },
      by: { kind: 'reference', to: 'person', from: 'session.user' },
      ...FIELDS,
      ...Object.fromEntries(
        Object.keys(FIELDS).flatMap((name) => [
          [`own_${name}`, { kind: 'computed', copy: name }],
          [`art_${name}`, { kind: 'computed', copy: `art.${name}` }],
          [`other_${name}`, { kind: 'computed', copy: `other.${name}` }],
        ]),
      ),
      owner_email: { kind: 'computed', copy: 'owner.email' },
      label: { kind: 'computed', text: '{text_full} {text_empty}' },
      name: { kind: 'computed', text: '{text_full} {owner_id} {date_created}' },
    },
    access: { edit: ['owner'] },
  },
};

const folder = temporaryFolder('empty');
let domain: Domain;
let service: TestService;
beforeAll(async () => {
  prepare(folder);
  const files = Object.entries(RESOURCES).map(([resource, keys]) => ({
    path: `spec/resources/${resource}.yaml`,
    text: stringify({ title: resource, summary: resource, ...keys }, { aliasDuplicateObjects: false }),
  }));
  const conventions = { path: 'spec/conventions.yaml', text: stringify({ title: 'T', version: '1', summary: 'T' }) };
  const compiled = makeDomain(1, folder, [conventions, ...files]);
  if (compiled === null) throw new Error('check finds mistakes');
  domain = compiled;
  expect(compileAll([domain])).toBe('');
  service = await startService({ generated: domain.generated });
});
afterAll(() => service?.stop());

/** The properties that may be null in the document, and in the types of the client. */
function nullable(): readonly [document: readonly string[], types: readonly string[]] {
  const document = JSON.parse(readFileSync(join(domain.generated, 'openapi.json'), 'utf8'));
  const properties = document.components.schemas.piece.properties as Readonly<Record<string, object>>;
  const inDocument = Object.keys(properties).filter((name) => JSON.stringify(properties[name]).includes('"null"'));
  const types = readFileSync(join(domain.generated, 'client', 'resources', 'piece.d.ts'), 'utf8');
  const [record = ''] = /export interface PieceRecord [\s\S]*?^\}/m.exec(types) ?? [];
  const inTypes = [...record.matchAll(/readonly (\w+)\??: .* \| null;$/gm)].map(([, name = '']) => name);
  return [inDocument.sort(), inTypes.sort()];
}

test('N18: exactly the properties that can be null are documented and typed as such', async () => {
  const send = clientOf(service.address);
  const { session } = await service.user('ada');
  const make = async (resource: string, parameters: Record<string, unknown>) => {
    const { status, body } = await send('POST', `/api/${resource}`, { session, parameters });
    expect([status, body.errors]).toEqual([201, undefined]);
    return body;
  };
  const art = await make('art', {});
  const piece = await make('piece', { art_id: art.id });
  const empty = Object.keys(piece).filter((name) => piece[name] === null);
  // The service knows who created the record; the reference becomes null only when that user is deleted.
  const expected = [...empty, 'by_id'].sort();
  expect(expected).toEqual(expect.arrayContaining(['art_text_empty', 'other_text_full', 'owner_email', 'label']));
  expect(nullable()).toEqual([expected, expected]);
});
