// One question to the service: over HTTP, or in process through the same operations for a resource that is not served.
import type { AnyDefinition, Upload } from '../../runtime/contract/definition.js';
import type { Operations } from '../../runtime/operations/operations.js';
import { exchange, type IncomingResponse, multipart } from '../support/exchange.js';
import type { Person } from './people.js';

export interface Question {
  readonly resource: string;
  readonly operation: 'create' | 'fetch' | 'update' | 'delete' | 'list' | 'options' | 'action' | 'undo';
  readonly id?: string;
  /** The name of the list or action. */
  readonly name?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Bytes of an upload. */
  readonly bytes?: Uint8Array;
  /** Another path than `/api/<resource>` (D32). */
  readonly base?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  /** `ok`, or the code of the error. */
  readonly code: string;
  /** Fields the error blames. */
  readonly fields: readonly string[];
  readonly text: string;
  readonly body: unknown;
}

export type Ask = (person: Person, question: Question) => Promise<Reply>;

const METHODS = {
  create: 'POST',
  fetch: 'GET',
  update: 'PUT',
  delete: 'DELETE',
  list: 'GET',
  options: 'GET',
  action: 'POST',
  undo: 'DELETE',
} as const;

export function askOverHttp(address: string): Ask {
  return async (person, question) =>
    reply(
      await (question.bytes === undefined ? sendJson(address, person, question) : upload(address, person, question)),
    );
}

function sendJson(address: string, { session }: Person, question: Question): Promise<IncomingResponse> {
  const method = METHODS[question.operation];
  const { parameters = {}, headers = {} } = question;
  const isGet = method === 'GET';
  const query = isGet ? new URLSearchParams(parameters as Record<string, string>).toString() : '';
  return exchange(`${address}${pathOf(question)}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: { ...bearer(session), ...(isGet ? {} : { 'content-type': 'application/json' }), ...headers },
    body: isGet ? undefined : JSON.stringify(parameters),
  });
}

function bearer(session: string | null): Readonly<Record<string, string>> {
  return session === null ? {} : { authorization: `Bearer ${session}` };
}

function pathOf({ resource, operation, id, name, base = `/api/${resource}` }: Question): string {
  if (operation === 'options') return `${base}/_options`;
  return [base, ...(id === undefined ? [] : [id]), ...(name === undefined ? [] : [name])].join('/');
}

function upload(address: string, { session }: Person, question: Question): Promise<IncomingResponse> {
  const fields = Object.entries(question.parameters ?? {}).map(([name, value]) => [name, String(value)] as const);
  const file = { part: 'file', name: 'sample', bytes: question.bytes ?? Buffer.alloc(0) };
  const { headers, body } = multipart(fields, file);
  return exchange(`${address}${pathOf(question)}`, {
    method: 'POST',
    headers: { ...headers, ...bearer(session) },
    body,
  });
}

function reply({ status, text }: IncomingResponse): Reply {
  const body: unknown = JSON.parse(text);
  if (status < 300) return { code: 'ok', fields: [], text, body };
  const { code, errors } = (body ?? {}) as { code?: string; errors?: { field: string }[] };
  return { code: code ?? `status ${status}`, fields: (errors ?? []).map(({ field }) => field), text, body };
}

const IN_PROCESS = {
  create: 'create',
  fetch: 'fetch',
  update: 'update',
  delete: 'remove',
  list: 'list',
  options: 'options',
  action: 'action',
  undo: 'action',
} as const;

/** Asks about definitions that the service does not mount; it cannot upload. */
export function askInProcess(operations: Operations, definitions: ReadonlyMap<string, AnyDefinition>): Ask {
  return async (person, question) => {
    const definition = definitions.get(question.resource);
    if (definition === undefined) throw new Error(`no definition of ${question.resource}`);
    const run = IN_PROCESS[question.operation];
    const caller = { user: person.session === null ? null : person.user, admin: person.name === 'administrator' };
    const { id = '', name = '', parameters = {} } = question;
    const upload: Upload | null = null;
    try {
      const { body } = await operations[run]({ definition, id, name, parameters, caller, now: Date.now(), upload });
      return { code: 'ok', fields: [], text: body, body: JSON.parse(body) };
    } catch (error) {
      const { code, failures } = error as { code?: string; failures?: { field: string }[] };
      // Anything but a ServiceError is a bug, which must not look like a refusal.
      if (code === undefined || failures === undefined) throw error;
      return { code, fields: failures.map(({ field }) => field), text: '', body: null };
    }
  };
}
