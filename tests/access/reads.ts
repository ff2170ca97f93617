// Every way to read: each record by its path and its other paths, with and without includes, each list, the options.

import type { List, Resource } from '../../generator/model/model.js';
import { ownLists } from '../document/access.js';
import type { Question, Reply } from './ask.js';
import type { ExpectedOutcome } from './expected.js';
import type { Findings, Probe } from './findings.js';
import { type Name, names, roleOf } from './people.js';
import { checkBody, checkText, type StoredRows, secretsOf } from './shown.js';
import type { World } from './world.js';

export interface Matrix {
  readonly world: World;
  readonly findings: Findings;
  readonly expected: (resource: string) => ExpectedOutcome;
  readonly rows: StoredRows;
}

/** Probes of the owner's records, by everybody. They change nothing. */
export function reads(matrix: Matrix): readonly Probe[] {
  const look = createLook(matrix);
  return matrix.world.model.resources.flatMap((resource) => [
    ...fetches(matrix, resource, look),
    ...matrix.world.model.resources.flatMap((items) =>
      items.lists
        .filter(({ parent }) => parent === resource.name)
        .flatMap((list) => listing(matrix, { items, list }, look)),
    ),
    async () => {
      const { code } = await look('stranger', { resource: resource.name, operation: 'options' });
      matrix.findings.outcome(`options of ${resource.name}`, 'ok', code);
    },
  ]);
}

/** Asks, and checks all that is shown. */
type Look = (by: Name, question: Question) => Promise<Reply>;

function createLook({ world, findings, expected, rows }: Matrix): Look {
  const secrets = secretsOf(world, expected, rows);
  return async (by, question) => {
    const reply = await world.ask(world.people[by], question);
    const { operation, resource, name = '', base = '' } = question;
    const probe = `${operation} ${base || resource} ${name}`.trim();
    checkText(reply.text, { probe, by }, findings, secrets);
    if (reply.code === 'ok') checkBody(reply.body, { probe, by }, { findings, world, expected });
    return reply;
  };
}

const INCLUDES = { _include_related_objects: '1', _include_relationships: '1' };

function fetches({ world, findings, expected }: Matrix, resource: Resource, look: Look): readonly Probe[] {
  const { fetch } = expected(resource.name).operations;
  const { owner } = world.holdings;
  const ids = [resource.name, `${resource.name} free`].flatMap((key) => owner[key] ?? []);
  const bases = resource.paths.filter(({ operation }) => operation === 'fetch').map(({ base }) => base);
  return names.flatMap((by) =>
    ids.flatMap((id) =>
      [{}, { parameters: INCLUDES }, ...bases.map((base) => ({ base }))].map((more) => async () => {
        const { code, body } = await look(by, { resource: resource.name, operation: 'fetch', id, ...more });
        findings.outcome(`fetch ${resource.name} by ${by}`, fetch[roleOf(by, 'owner')], code);
        if (code === 'ok' && 'parameters' in more) checkLinks(body, by);
      }),
    ),
  );

  /** A relation whose id is hidden from the caller has no link either (D22). */
  function checkLinks(body: unknown, by: Name): void {
    const record = body as Record<string, unknown>;
    const links = (record._relationships ?? {}) as Record<string, string>;
    for (const { relation, column } of resource.references) {
      const known = Object.hasOwn(record, column);
      const probe = `relationships of ${resource.name} to ${by}`;
      findings.kept(probe, known || (links[relation] === undefined && record[relation] === undefined), relation);
    }
  }
}

interface Listing {
  readonly items: Resource;
  readonly list: List;
}

function listing(matrix: Matrix, { items, list }: Listing, look: Look): readonly Probe[] {
  const { world, findings, expected, rows } = matrix;
  const id = world.holdings.owner[list.parent] ?? '';
  const held = world.holdings.owner[items.name] ?? '';
  const row = rows.get(items.name);
  const listed = Object.entries({ ...list.where, [list.by]: id }).every(([column, value]) => row?.[column] === value);
  const ask = { resource: list.parent, operation: 'list', name: list.name, id } as const;
  const probes = names.map((by) => async () => {
    const role = roleOf(by, 'owner');
    const probe = `list ${list.parent}/${list.name} by ${by}`;
    const { code, body } = await look(by, ask);
    const isOwnList =
      ownLists.includes(`${list.parent}/${list.name}`) && expected(items.name).operations.fetch[role] !== 'ok';
    findings.outcome(probe, isOwnList ? 'not_found' : expected(list.parent).operations.fetch[role], code);
    if (code !== 'ok') return;
    const page = body as { paging: { total_items: number }; items: { id: string }[] };
    // Callers who may not read the items do not learn how many there are.
    if (expected(items.name).operations.fetch[role] !== 'ok') {
      findings.kept(
        probe,
        page.items.length === 0 && page.paging.total_items === 0,
        `${page.paging.total_items} items`,
      );
    } else if (listed)
      findings.given(
        probe,
        page.items.some((item) => item.id === held),
        'list without its record',
      );
  });
  return [...probes, ...hiddenOrders(matrix, { items, list }, look)];
}

/** The order of records would reveal their hidden values. */
function hiddenOrders({ world, findings, expected }: Matrix, { items, list }: Listing, look: Look): readonly Probe[] {
  if (Object.keys(list.where).length > 0) return [];
  const { editors, never, once, bought } = expected(items.name);
  const id = world.holdings.owner[list.parent] ?? '';
  return [...editors, ...never, ...once, ...bought].map((property) => async () => {
    const parameters = { _order_by: property };
    const ask = { resource: list.parent, operation: 'list', name: list.name, id, parameters } as const;
    const { code } = await look('administrator', ask);
    findings.outcome(`list ${list.parent}/${list.name} by ${property}`, 'invalid', code);
  });
}
