// Every way to write, by everybody: those who may not, and then those who may. References have a file of their own.

import type { Resource } from '../../generator/model/model.js';
import type { Operation } from '../document/table.js';
import { PNG } from '../files/samples.js';
import { runSql } from '../support/database.js';
import type { Reply } from './ask.js';
import type { Probe } from './findings.js';
import { isHolder, type Name, names, roleOf } from './people.js';
import type { Matrix } from './reads.js';
import { judgeBody } from './shown.js';
import { changeOf, parametersOf, placed, usedOf } from './values.js';
import { makeRecord } from './world.js';

/** Writes on the owner's records by those who may not. Nothing may change. */
export function refusedWrites(matrix: Matrix): readonly Probe[] {
  return each(matrix, (resource, by, expects) => [
    ...(expects('create') === 'ok' || !isJudged(matrix, resource, by) ? [] : [create(matrix, resource, by)]),
    ...(expects('update') === 'ok' ? [] : updates(matrix, resource, by)),
    ...(expects('delete') === 'ok' ? [] : [remove(matrix, resource, by)]),
    ...actions(matrix, resource, by, false),
  ]);
}

/** Writes by those who may; each must be done. */
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

function told(
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
 * Under what of the owner's a record whose module is not there yet may be made, nobody checks yet; the operations that
 * stand in for the module only know whether there is a session.
 */
function isJudged({ world }: Matrix, resource: Resource, by: Name): boolean {
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
      told(matrix, resource, ['create', by], reply);
      const look = { probe: `create ${resource.name}`, by, created: true };
      // A user made by an administrator owns itself, and is nobody of ours.
      if (reply.code === 'ok' && !resource.principal) judgeBody(reply.body, look, { findings, world, expected });
    }
  };
}

/** The canonical path, and the other forms of it (D32). */
function pathsOf({ paths }: Resource, operation: Operation): readonly { readonly base?: string }[] {
  return [{}, ...paths.filter((path) => path.operation === operation).map(({ base }) => ({ base }))];
}

/** A change, nothing at all, and a change with a mistake in it: none of them tells or does anything without the right. */
function updates(matrix: Matrix, resource: Resource, by: Name): readonly Probe[] {
  const { world, findings, expected } = matrix;
  const change = changeOf(resource, world.source('owner'));
  const may = expected(resource.name).operations.update[roleOf(by, 'owner')] === 'ok';
  const empty = resource.parameters.some(({ requiredOnUpdate }) => requiredOnUpdate) ? change : {};
  const sent: Record<string, unknown>[] = [change, empty];
  // With the right, a mistake is `invalid`, which the suites of each limit look at.
  if (!may) sent.push({ ...change, ...Object.fromEntries(resource.parameters.map(({ name }) => [name, '\u0000'])) });
  const password = resource.parameters.find(({ kind }) => kind === 'password');
  if (!may && password !== undefined) sent.push({ [password.name]: 'a new one that is long enough' });
  const id = world.holdings.owner[resource.name] ?? '';
  return sent.map((parameters) => async () => {
    for (const more of pathsOf(resource, 'update')) {
      const ask = { resource: resource.name, operation: 'update', id, parameters, ...more } as const;
      const reply = await world.ask(world.people[by], ask);
      told(matrix, resource, ['update', by], reply);
      const probe = `update ${resource.name}`;
      if (reply.code === 'ok') judgeBody(reply.body, { probe, by }, { findings, world, expected });
    }
  });
}

/** What a record already holds may be sent again by whoever may edit it (D16). */
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
      told(matrix, resource, ['delete', by], await world.ask(world.people[by], ask));
    }
  };
}

function removeFresh(matrix: Matrix, resource: Resource, by: Name): Probe {
  const source = matrix.world.source('owner');
  return async () => remove(matrix, resource, by, await makeRecord(matrix.world, 'owner', { resource, source }))();
}

/** Parameters that administrators alone may send: refused to the others, whoever's the record is. */
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

/** Actions of editors are theirs, others are the administrators'; what an action then does is no matter of access. */
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
