// Every way to write: by everybody who may not, and then by everybody who may. References have a file of their own.

import type { Resource } from '../../generator/model/model.js';
import type { Operation } from '../document/table.js';
import { PNG } from '../files/samples.js';
import { runSql } from '../support/database.js';
import type { Reply } from './ask.js';
import type { Probe } from './findings.js';
import { isHolder, type Name, names, roleOf } from './people.js';
import type { Matrix } from './reads.js';
import { checkBody } from './shown.js';
import { changeOf, parametersOf, placed, usedOf } from './values.js';
import { makeRecord } from './world.js';

/** Writes on the owner's records by those who may not. Nothing may change. */
export function refusedWrites(matrix: Matrix): readonly Probe[] {
  return each(matrix, (resource, by, expects) => [
    ...(expects('create') === 'ok' || !isChecked(matrix, resource, by) ? [] : [create(matrix, resource, by)]),
    ...(expects('update') === 'ok' ? [] : updates(matrix, resource, by)),
    ...(expects('delete') === 'ok' ? [] : [remove(matrix, resource, by)]),
    ...actions(matrix, resource, by, false),
  ]);
}

/** Writes by those who may; each must succeed. */
export function acceptedWrites(matrix: Matrix): readonly Probe[] {
  return each(matrix, (resource, by, expects) => [
    ...(expects('create') === 'ok' ? [create(matrix, resource, by)] : []),
    ...(expects('update') === 'ok' ? [...updates(matrix, resource, by), unchanged(matrix, resource, by)] : []),
    ...(expects('delete') === 'ok' ? [removeFresh(matrix, resource, by)] : []),
    ...administratorsOnly(matrix, resource, by),
    ...actions(matrix, resource, by, true),
  ]);
}

type Expects = (operation: Operation) => string;

function each(
  { world, expected }: Matrix,
  probes: (resource: Resource, by: Name, expects: Expects) => readonly Probe[],
): readonly Probe[] {
  return world.model.resources.flatMap((resource) =>
    names.flatMap((by) =>
      probes(resource, by, (operation) => expected(resource.name).operations[operation][roleOf(by, 'owner')]),
    ),
  );
}

function expectReply(
  { findings, expected }: Matrix,
  { name }: Resource,
  [operation, by]: [Operation, Name],
  reply: Reply,
): void {
  findings.outcome(
    `${operation} ${name} by ${by}`,
    expected(name).operations[operation][roleOf(by, 'owner')],
    reply.code,
  );
}

/**
 * The operations that stand in for the module of an unmounted resource only check whether there is a session, and not under
 * which of the owner's records a record is created.
 */
function isChecked({ world }: Matrix, resource: Resource, by: Name): boolean {
  return world.mounted(resource.name) || by === 'anonymous';
}

function create(matrix: Matrix, resource: Resource, by: Name): Probe {
  const { world, findings, expected } = matrix;
  const source = world.source(isHolder(by) ? by : 'owner');
  return async () => {
    for (const more of pathsOf(resource, 'create')) {
      const parameters = placed(resource, world.source('owner'));
      const reply = await world.ask(world.people[by], {
        resource: resource.name,
        operation: 'create',
        parameters: { ...parameters, ...usedOf(resource, parameters, source) },
        ...(resource.upload === null ? {} : { bytes: PNG }),
        ...more,
      });
      expectReply(matrix, resource, ['create', by], reply);
      const look = { probe: `create ${resource.name}`, by, created: true };
      // A user that an administrator creates owns itself, and is none of the people here.
      if (reply.code === 'ok' && !resource.principal) checkBody(reply.body, look, { findings, world, expected });
    }
  };
}

/** The canonical path, and its other forms (D32). */
function pathsOf({ paths }: Resource, operation: Operation): readonly { readonly base?: string }[] {
  return [{}, ...paths.filter((path) => path.operation === operation).map(({ base }) => ({ base }))];
}

/** Sends a change, nothing at all, and a mistake: without the right, none of them reveals or does anything. */
function updates(matrix: Matrix, resource: Resource, by: Name): readonly Probe[] {
  const { world, findings, expected } = matrix;
  const change = changeOf(resource, world.source('owner'));
  const may = expected(resource.name).operations.update[roleOf(by, 'owner')] === 'ok';
  const empty = resource.parameters.some(({ requiredOnUpdate }) => requiredOnUpdate) ? change : {};
  const sent: Record<string, unknown>[] = [change, empty];
  // With the right, a mistake is `invalid`, which the suites of the limits cover.
  if (!may) sent.push({ ...change, ...Object.fromEntries(resource.parameters.map(({ name }) => [name, '\u0000'])) });
  const password = resource.parameters.find(({ kind }) => kind === 'password');
  if (!may && password !== undefined) sent.push({ [password.name]: 'a new one that is long enough' });
  const id = world.holdings.owner[resource.name] ?? '';
  return sent.map((parameters) => async () => {
    for (const more of pathsOf(resource, 'update')) {
      const ask = { resource: resource.name, operation: 'update', id, parameters, ...more } as const;
      const reply = await world.ask(world.people[by], ask);
      expectReply(matrix, resource, ['update', by], reply);
      const probe = `update ${resource.name}`;
      if (reply.code === 'ok') checkBody(reply.body, { probe, by }, { findings, world, expected });
    }
  });
}

/** Those who may edit a record may send its current values again (D16). */
function unchanged({ world, findings }: Matrix, resource: Resource, by: Name): Probe {
  return async () => {
    const id = world.holdings.owner[resource.name] ?? '';
    const [row = {}] = await runSql(world.running.service, `SELECT * FROM "${resource.name}" WHERE id = ?`, id);
    const columns = resource.references.filter(({ column }) => resource.parameters.some(({ name }) => name === column));
    const held = columns.map(({ column }) => [column, row[column]] as const);
    const parameters = { ...changeOf(resource, world.source('owner')), ...Object.fromEntries(held) };
    const { code } = await world.ask(world.people[by], {
      resource: resource.name,
      operation: 'update',
      id,
      parameters,
    });
    findings.outcome(`update ${resource.name} with what it holds by ${by}`, 'ok', code);
  };
}

function remove(matrix: Matrix, resource: Resource, by: Name, id = matrix.world.holdings.owner[resource.name]): Probe {
  const { world } = matrix;
  const refused = matrix.expected(resource.name).operations.delete[roleOf(by, 'owner')] !== 'ok';
  return async () => {
    for (const more of refused ? pathsOf(resource, 'delete') : [{}]) {
      const ask = { resource: resource.name, operation: 'delete', id: id ?? '', ...more } as const;
      expectReply(matrix, resource, ['delete', by], await world.ask(world.people[by], ask));
    }
  };
}

function removeFresh(matrix: Matrix, resource: Resource, by: Name): Probe {
  const source = matrix.world.source('owner');
  return async () => remove(matrix, resource, by, await makeRecord(matrix.world, 'owner', { resource, source }))();
}

/** Parameters that only administrators may send are refused to others, even to the owner of the record. */
function administratorsOnly({ world, findings, expected }: Matrix, resource: Resource, by: Name): readonly Probe[] {
  const { administrators, operations } = expected(resource.name);
  if (operations.update[roleOf(by, 'owner')] !== 'ok') return [];
  // Flags and the role of users, and texts of games. The role changes nothing over the API (D65).
  const other = resource.name === 'user' ? false : 'https://example.com/';
  return administrators.map((name) => async () => {
    const id = world.holdings.owner[resource.name] ?? '';
    const parameters = {
      ...changeOf(resource, world.source('owner')),
      [name]: name === 'operator_role' ? 'support' : other,
    };
    const { code } = await world.ask(world.people[by], {
      resource: resource.name,
      operation: 'update',
      id,
      parameters,
    });
    findings.outcome(`set ${resource.name}.${name} by ${by}`, by === 'administrator' ? 'ok' : 'forbidden', code);
  });
}

/** Editors may start the actions of editors, and only administrators the others. The effect of an action is not checked. */
function actions(
  { world, findings, expected }: Matrix,
  resource: Resource,
  by: Name,
  allowed: boolean,
): readonly Probe[] {
  const { operations, hidden } = expected(resource.name);
  return resource.actions.flatMap((action) => {
    const edits = action.by === 'editor' && operations.update[roleOf(by, 'owner')] === 'ok';
    if ((edits || by === 'administrator') !== allowed) return [];
    return async () => {
      const { code } = await world.ask(world.people[by], {
        resource: resource.name,
        operation: action.method === 'POST' ? 'action' : 'undo',
        name: action.segment,
        id: world.holdings.owner[resource.name] ?? '',
        parameters: parametersOf({ ...resource, parameters: action.parameters }, world.source('owner'), 'required'),
      });
      const probe = `${action.name} of ${resource.name} by ${by}`;
      const refusal = hidden ? 'not_found' : by === 'anonymous' ? 'login_required' : 'forbidden';
      if (!allowed) findings.outcome(probe, refusal, code);
      else findings.given(probe, !['login_required', 'forbidden'].includes(code), code);
    };
  });
}
