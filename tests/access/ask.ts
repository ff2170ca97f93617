// One question to the service, over HTTP; to a resource whose module is not there yet, through the same operations in process.
import { Agent, request } from 'node:http';
import type { AnyDefinition, Upload } from '../../runtime/definition.js';
import type { Operations } from '../../runtime/operations/operations.js';
import type { Person } from './people.js';

export interface Question {
  readonly resource: string;
  readonly operation: 'create' | 'fetch' | 'update' | 'delete' | 'list' | 'options' | 'action';
  readonly id?: string;
  /** Of the list or action. */
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
} as const;

/** Connections are kept: a matrix asks thousands of questions. */
export function askOverHttp(address: string): Ask & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const ask: Ask = async (person, question) => {
    if (question.bytes !== undefined) return upload(address, person, question);
    return reply(await sent(agent, address, person, question));
  };
  return Object.assign(ask, { close: () => agent.destroy() });
}

function sent(
  agent: Agent,
  address: string,
  { session }: Person,
  question: Question,
): Promise<{ status: number; text: string }> {
  const method = METHODS[question.operation];
  const { parameters = {}, headers = {} } = question;
  const query = method === 'GET' ? new URLSearchParams(parameters as Record<string, string>).toString() : '';
  const body = method === 'GET' ? '' : JSON.stringify(parameters);
  return new Promise((resolve, reject) => {
    const asked = request(
      `${address}${pathOf(question)}${query === '' ? '' : `?${query}`}`,
      { agent, method },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      },
    );
    asked.on('error', reject);
    if (session !== null) asked.setHeader('Authorization', `Bearer ${session}`);
    if (body !== '') {
      asked.setHeader('Content-Type', 'application/json');
      asked.setHeader('Content-Length', Buffer.byteLength(body));
    }
    for (const [name, value] of Object.entries(headers)) asked.setHeader(name, value);
    asked.end(body);
  });
}

function pathOf({ resource, operation, id, name, base = `/api/${resource}` }: Question): string {
  if (operation === 'options') return `${base}/_options`;
  return [base, ...(id === undefined ? [] : [id]), ...(name === undefined ? [] : [name])].join('/');
}

async function upload(address: string, { session }: Person, question: Question): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(question.parameters ?? {})) form.set(name, String(value));
  form.set('file', new Blob([question.bytes ?? '']), 'sample');
  const headers = session === null ? {} : { authorization: `Bearer ${session}` };
  const response = await fetch(`${address}${pathOf(question)}`, { method: 'POST', body: form, headers });
  const text = await response.text();
  return reply({ status: response.status, text });
}

function reply({ status, text }: { status: number; text: string }): Reply {
  const body: unknown = JSON.parse(text);
  if (status < 300) return { code: 'ok', fields: [], text, body };
  const { code, errors } = (body ?? {}) as { code?: string; errors?: { field: string }[] };
  return { code: code ?? `status ${status}`, fields: (errors ?? []).map(({ field }) => field), text, body };
}

/** The same for definitions that the service does not mount; uploads do not come this way. */
export function askInProcess(operations: Operations, definitions: ReadonlyMap<string, AnyDefinition>): Ask {
  return async (person, question) => {
    const definition = definitions.get(question.resource);
    if (definition === undefined) throw new Error(`no definition of ${question.resource}`);
    const run = question.operation === 'delete' ? 'remove' : question.operation;
    const caller = { user: person.session === null ? null : person.user, admin: person.name === 'administrator' };
    const { id = '', name = '', parameters = {} } = question;
    const upload: Upload | null = null;
    try {
      const { body } = await operations[run]({ definition, id, name, parameters, caller, now: Date.now(), upload });
      return { code: 'ok', fields: [], text: body, body: JSON.parse(body) };
    } catch (error) {
      const { code, failures } = error as { code?: string; failures?: { field: string }[] };
      // No ServiceError: a bug, which must not look like a refusal.
      if (code === undefined || failures === undefined) throw error;
      return { code, fields: failures.map(({ field }) => field), text: '', body: null };
    }
  };
}
