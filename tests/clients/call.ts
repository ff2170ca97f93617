// One request of a public client as a row of a table, and how it is sent. Ids of earlier answers are in braces: `{game}`.

import { FormData, request } from 'undici';
import { pngSquare } from '../../runtime/admin/demo/images.js';

export type Parameters = Readonly<Record<string, string | number | boolean | null>>;

export interface Call {
  /** `POST /api/game?session_id={session}`; a name in braces is a value that an earlier call kept. */
  readonly ask: string;
  /** How the parameters are sent; by default in the query. */
  readonly as?: 'json' | 'form' | 'multipart';
  readonly with?: Parameters;
  /** Sent as a part called `file`, as untyped bytes: a PNG or a PDF. */
  readonly file?: 'png' | 'pdf';
  readonly headers?: Readonly<Record<string, string>>;
  /** The status, if the client does not expect 200. */
  readonly status?: number;
  /** What the client reads of `result`, or of `error` for other statuses: a path, and a value or its pattern. */
  readonly reads: Readonly<Record<string, string | number | boolean | null | RegExp>>;
  /** The name under which the id of the answer, or the value at the path `kept`, is kept. */
  readonly keep?: string;
  readonly kept?: string;
}

const FILES = {
  png: pngSquare(20, 120, 200),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
};

/** The values, by path, that the client reads and that differ from the table; `{}` if none does. */
export async function differences(
  address: string,
  call: Call,
  kept: Map<string, string>,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, answer } = await send(address, call, kept);
  if (status !== (call.status ?? 200)) return { status, answer };
  const read = (answer as { result?: unknown; error?: unknown })[status === 200 ? 'result' : 'error'];
  if (call.keep !== undefined) kept.set(call.keep, String(at(read, call.kept ?? 'id')));
  const wrong = Object.entries(call.reads).filter(([path, expected]) => !fits(at(read, path), fillIn(expected, kept)));
  return Object.fromEntries(wrong.map(([path]) => [path, at(read, path)]));
}

async function send(
  address: string,
  call: Call,
  kept: Map<string, string>,
): Promise<{ status: number; answer: unknown }> {
  const [method = '', path = ''] = String(fillIn(call.ask, kept)).split(' ');
  const pairs = Object.entries(call.with ?? {}).map(([name, value]) => [name, fillIn(value, kept)] as const);
  const { body, type } = bodyOf(call, pairs);
  const query = call.as === undefined && pairs.length > 0 ? `${path.includes('?') ? '&' : '?'}${form(pairs)}` : '';
  const { statusCode, body: answered } = await request(`${address}${path}${query}`, {
    method: method as 'GET',
    headers: { ...(type === null ? {} : { 'content-type': type }), ...call.headers },
    body,
  });
  return { status: statusCode, answer: JSON.parse(await answered.text()) };
}

type Pairs = readonly (readonly [string, unknown])[];

function bodyOf({ as, file }: Call, pairs: Pairs): { body: string | FormData | null; type: string | null } {
  if (as === 'json') return { body: JSON.stringify(Object.fromEntries(pairs)), type: 'application/json' };
  if (as === 'form') return { body: form(pairs), type: 'application/x-www-form-urlencoded' };
  if (as !== 'multipart') return { body: null, type: null };
  const data = new FormData();
  for (const [name, value] of pairs) data.append(name, String(value ?? ''));
  if (file !== undefined) data.append('file', new Blob([new Uint8Array(FILES[file])]), `art.${file}`);
  return { body: data, type: null };
}

function form(pairs: Pairs): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value ?? '')])).toString();
}

function fillIn(value: unknown, kept: Map<string, string>): unknown {
  return typeof value === 'string' ? value.replace(/\{(\w+)\}/g, (all, name: string) => kept.get(name) ?? all) : value;
}

/** `items.0.name` of a value; `identity=PokerDeck` is the item of a list that has the value. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inside, step) => {
    const [key = '', wanted] = step.split('=');
    if (wanted === undefined) return (inside as Record<string, unknown> | null | undefined)?.[key];
    return (inside as readonly Record<string, unknown>[]).find((item) => item[key] === wanted);
  }, value);
}

function fits(actual: unknown, expected: unknown): boolean {
  if (!(expected instanceof RegExp)) return actual === expected;
  // A missing value matches no pattern, and null matches like an empty text.
  return actual !== undefined && expected.test(String(actual ?? ''));
}
