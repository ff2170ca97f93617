// Derives the documented responses of the profile wing from those of plain: envelope, statuses, error bodies.
import type { ErrorCode } from '../contract/errors.js';

export type Json = { readonly [key: string]: unknown };
export type JsonObjects = Readonly<Record<string, Json>>;

export interface DocumentedAnswers {
  /** `components.responses`, with errors by code; plain has them by status. */
  readonly components: JsonObjects;
  /** The responses of one operation. @param isWrite it creates, updates or deletes a record */
  of(responses: JsonObjects, isWrite: boolean): Json;
}

/**
 * @param plain `components.responses` of the document of plain
 * @param status the status of each error (D04)
 */
export function answersOf(plain: JsonObjects, status: (code: ErrorCode) => number): DocumentedAnswers {
  const statusOf = (code: string): string => String(status(code as ErrorCode));
  const codesOf = (row: string) => Object.entries(codes(plain[row] ?? {}));
  const errors: Record<string, Json> = {};
  /** The component is named after the code, unless another row describes the code differently. */
  const componentFor = (row: string, [code, when]: readonly [string, string]): string =>
    errors[code] === undefined || errors[code].description === when ? code : row;
  /** The answers of a row by status: several codes with one status are one, named after the row. */
  const answersIn = (row: string, isWrite: boolean) => {
    const byStatus = new Map<string, (readonly [string, string])[]>();
    for (const code of codesOf(row)) {
      // A refused write means that a right is missing, with or without a session (D07).
      const isRight = isWrite && code[0] === 'login_required' && errors.forbidden !== undefined;
      const reported = isRight ? (['forbidden', String(errors.forbidden?.description)] as const) : code;
      byStatus.set(statusOf(reported[0]), [...(byStatus.get(statusOf(reported[0])) ?? []), reported]);
    }
    return [...byStatus].map(([own, [first, ...more]]) => {
      const name = first === undefined || more.length > 0 ? row : componentFor(row, first);
      return { own, name, when: [first, ...more].map((one) => one?.[1]).join(' Or: ') };
    });
  };
  for (const isWrite of [false, true]) {
    for (const [row, answer] of Object.entries(plain)) {
      for (const { own, name, when } of answersIn(row, isWrite))
        errors[name] ??= errorAnswer(answer, { when, status: own });
    }
  }
  const challenge = (plain.login_required?.headers as Json | undefined)?.['WWW-Authenticate'];
  if (errors.forbidden !== undefined && challenge !== undefined) {
    const headers = { ...(errors.forbidden.headers as Json), 'WWW-Authenticate': challenge };
    errors.forbidden = { ...errors.forbidden, headers };
  }
  const successes = Object.entries(plain).filter(([, answer]) => answer['x-codes'] === undefined);
  return {
    components: { ...mapped(Object.fromEntries(successes), success), ...errors },
    of(responses, isWrite) {
      const answers: Record<string, Json> = {};
      for (const [status, answer] of Object.entries(responses)) {
        const row = nameOf(answer.$ref);
        const failures = answersIn(row, isWrite);
        if (failures.length === 0) answers[status === '201' ? '200' : status] = success(answer);
        for (const { own, name } of failures) {
          const [known, named] = [answers[own], reference('responses', name)];
          if (known !== undefined && known.$ref === named.$ref) continue;
          answers[own] = known ? either(resolved(known, errors), errors[name] as Json) : named;
        }
      }
      return answers;
    },
  };
}

function codes(answer: Json): Readonly<Record<string, string>> {
  return (answer['x-codes'] ?? {}) as Readonly<Record<string, string>>;
}

function resolved(answer: Json, errors: JsonObjects): Json {
  return answer.$ref === undefined ? answer : (errors[nameOf(answer.$ref)] as Json);
}

/** Two codes that share a status in one operation. */
function either(one: Json, other: Json): Json {
  const headers = { ...(one.headers as Json), ...(other.headers as Json) };
  return { ...one, description: `${String(one.description)} Or: ${String(other.description)}`, headers };
}

function errorAnswer(plain: Json, { when, status }: { readonly when: string; readonly status: string }): Json {
  const { 'WWW-Authenticate': authenticate, ...headers } = plain.headers as Json;
  // HTTP requires it with 401 only.
  const challenge = status === '401' && authenticate !== undefined ? { 'WWW-Authenticate': authenticate } : {};
  const [media] = Object.values(plain.content as Readonly<Record<string, { readonly example: Json }>>);
  const { detail, errors = [] } = media?.example ?? {};
  const [failure] = errors as readonly { readonly field: string }[];
  const error = { code: Number(status), message: detail, data: failure?.field ?? null };
  return {
    description: when,
    headers: { ...headers, ...challenge },
    content: { 'application/json': { schema: reference('schemas', '_error'), example: { error } } },
  };
}

/** Adds the envelope and removes the Location that belongs to 201. Responses that no profile shapes stay as they are. */
function success(answer: Json): Json {
  if (answer.$ref !== undefined) return answer;
  const { 'x-raw': raw, ...rest } = answer;
  if (raw === true) return answer;
  const { Location: _, ...headers } = (rest.headers ?? {}) as Json;
  const content = mapped((rest.content ?? {}) as JsonObjects, ({ schema, ...media }) => ({
    ...media,
    schema: { type: 'object', required: ['result'], properties: { result: schema } },
  }));
  return { ...rest, headers, content };
}

/** The schema of every error's body (D03). */
export const ERROR_BODY: Json = {
  type: 'object',
  description: 'The first thing that went wrong.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'data'],
      properties: {
        code: {
          type: 'integer',
          minimum: 400,
          maximum: 599,
          description: 'What went wrong; the same as the HTTP status.',
        },
        message: { type: 'string', description: 'What went wrong, for people.' },
        data: {
          type: ['string', 'null'],
          description: 'The parameter that is wrong, or the tag of a record that has changed; null: neither.',
        },
      },
    },
  },
};

function reference(section: string, name: string): Json {
  return { $ref: `#/components/${section}/${name}` };
}

export function nameOf(reference: unknown): string {
  return String(reference).split('/').at(-1) ?? '';
}

export function mapped<T>(all: Readonly<Record<string, T>>, change: (one: T) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(all).map(([name, child]) => [name, change(child)]));
}
