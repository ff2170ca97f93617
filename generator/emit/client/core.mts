// What every generated client shares: requests, sessions, pages, retries and errors. `gen` copies it, compiled, into the client's
// package. It depends on nothing but fetch and WebCrypto: Node 20 and browsers have both.

export interface ClientOptions {
  /** Address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** Id of an open session; `login` opens one. */
  readonly session?: string;
  /** Token of an API key, for a program that does not log in; while there is a session, that counts. */
  readonly token?: string;
  /** Version of the service that the program was written for, such as `2027-01-15`; the service's own choice by default. */
  readonly version?: string;
  /** How many times a failed request is sent again at most; 3 by default. */
  readonly retries?: number;
  /** Milliseconds after which an unanswered request is given up and sent again; 60,000 by default. 0, as for uploads: no limit. */
  readonly timeout?: number;
  /** Called with the names of parameters that the service does not know, usually slips of the pen. */
  readonly onIgnored?: (names: readonly string[], request: string) => void;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** API key of the calling program, if it has one. */
  readonly api_key_id?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The timeout of this call instead of that of the client. */
  readonly timeout?: number;
  /**
   * Calls with the same key are carried out once, and get the same answer. By default each call has a key of its own, which its
   * retries keep; pass one where your own code may repeat the call.
   */
  readonly idempotencyKey?: string;
  /** Of a change of a record: a tag as `tagOf` returns it, or `*`, instead of the tag of the record that is passed. */
  readonly ifMatch?: string | undefined;
}

/** A record as the client returned it, whose tag is then sent, so that nothing is done if it has changed since; or its id. */
export type RecordOrId<R extends { readonly id: string }> = string | R;

/** A copy of a record has no tag. */
const TAGS = new WeakMap<object, string>();

/** The `ETag` of a record that a method returned; undefined for a copy of it, and for a record in a list. */
export function tagOf(record: object): string | undefined {
  return TAGS.get(record);
}

/** The options of a call that takes no key. A POST is then sent once, since it may have been done although no answer came. */
export type UnkeyedOptions = Omit<CallOptions, 'idempotencyKey'>;

/** What every record shows. */
export interface Shown<Type extends string> {
  readonly id: string;
  readonly object_type: Type;
  readonly date_created: string;
  readonly date_updated: string;
  /** Paths of related records and lists, with `_include_relationships`. */
  readonly _relationships?: Readonly<Record<string, string>>;
}

/** The parameters of an update: only what is sent changes, and null restores what a create would set. */
export type Changes<C> = { readonly [K in keyof C]?: object extends Pick<C, K> ? C[K] | null : C[K] };

/** The parameters of a create below a parent that the path names: its id need not be sent. */
export type Below<C, Parent extends keyof C> = Omit<C, Parent> & Partial<Pick<C, Parent>>;

export interface Deleted {
  readonly success: 1;
}

export interface Include<Name extends string = never> {
  readonly _include_related_objects?: boolean | readonly Name[];
  readonly _include_relationships?: boolean;
}

export interface ListQuery<Sortable extends string = never> {
  readonly _page_number?: number;
  readonly _items_per_page?: number;
  readonly _order_by?: Sortable;
  readonly _sort_order?: 'asc' | 'desc';
  readonly _cursor?: string;
}

/** What a list of all records of some types can be asked for. */
export interface Search {
  /** Words that the records have. */
  readonly q?: string;
}

/** The position in a list that is not counted. */
export interface Continuation {
  readonly items_per_page: number;
  readonly next_cursor: string | null;
}

export interface Paging extends Continuation {
  readonly total_items: number;
  /** False: there may be more than `total_items`. */
  readonly complete?: boolean;
  readonly total_pages: number;
  readonly page_number: number;
  readonly next_page_number: number;
  readonly previous_page_number: number;
}

export interface Page<T, P extends Continuation = Paging> {
  readonly items: readonly T[];
  readonly paging: P;
}

/** A list: `await` it for one page; `for await` goes through all records, page by page. */
export interface List<T, P extends Continuation = Paging> extends PromiseLike<Page<T, P>>, AsyncIterable<T> {
  pages(): AsyncIterable<Page<T, P>>;
}

export interface Session {
  /** Null while nobody is logged in. */
  readonly id: string | null;
  /** The user who logged in; null for a session that was given by its id. */
  readonly user_id: string | null;
  /** Logs in, and again by itself when the session has expired. */
  login(credentials: Credentials): Promise<void>;
  logout(): Promise<void>;
}

export interface Failure {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export type Client<Api> = Api & { readonly session: Session };

export interface ClientClass<Api> {
  new (options: ClientOptions): Client<Api>;
  login(options: ClientOptions & Credentials): Promise<Client<Api>>;
}

/**
 * By resource and method: `POST /api/boxtop`, `LIST /api/game/{id}/boxtops`, `UPLOAD /api/file file`; `UNKEYED` is a POST
 * that takes no idempotency key; of a catalogue `ROWS /api/products active` and `ROW /api/products/{id} active`, with its boolean attributes.
 */
export type Routes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** By object type, the properties that a server may write in another form (`--wire wing`). */
export type Formats = Readonly<
  Record<string, { readonly booleans?: readonly string[]; readonly dates?: readonly string[] }>
>;

type Values = Readonly<Record<string, unknown>>;

interface Call extends Omit<CallOptions, 'idempotencyKey'> {
  /** Null for a call that the service carries out each time, whatever key is sent. */
  readonly idempotencyKey?: string | null | undefined;
  readonly method: string;
  readonly path: string;
  readonly parameters?: Values | undefined;
  readonly file?: { readonly part: string; readonly bytes: Blob };
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly failures?: readonly Failure[];
  readonly requestId?: string | null;
  /** Seconds. */
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** An error of the service; `code` is `network` if there was no answer, `timeout` if it did not come in time. */
export class PunchboardError extends Error {
  readonly status: number;
  readonly code: string;
  /** Every invalid parameter. */
  readonly failures: readonly Failure[];
  /** Names the request in the log of the service. */
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor({ status, code, message, failures = [], requestId = null, retryAfter = null, cause }: Problem) {
    super(message, { cause });
    this.name = 'PunchboardError';
    this.status = status;
    this.code = code;
    this.failures = failures;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** What is wrong with a parameter. */
  field(name: string): Failure | undefined {
    return this.failures.find(({ field }) => field === name || field.startsWith(`${name}/`));
  }
}

/** @returns the class of a client with these methods */
export function createClient<Api>(routes: Routes, formats: Formats): ClientClass<Api> {
  class PunchboardClient {
    readonly session: Session;

    constructor(options: ClientOptions) {
      const connection = new Connection(options, formats);
      this.session = connection;
      const resources = Object.entries(routes).map(([name, methods]) => [name, bound(methods, connection)]);
      Object.assign(this, Object.fromEntries(resources));
    }

    static async login(options: ClientOptions & Credentials): Promise<PunchboardClient> {
      const client = new PunchboardClient(options);
      const { username, password, api_key_id } = options;
      await client.session.login({ username, password, ...(api_key_id === undefined ? {} : { api_key_id }) });
      return client;
    }
  }
  return PunchboardClient as unknown as ClientClass<Api>;
}

function bound(methods: Readonly<Record<string, string>>, connection: Connection): object {
  return Object.fromEntries(Object.entries(methods).map(([name, route]) => [name, call(route, connection)]));
}

/** Methods take the id, if the path has one, then what is sent, then the options of the call. */
function call(route: string, connection: Connection): (...given: unknown[]) => unknown {
  const [method = '', pattern = '', part = ''] = route.split(' ');
  const row = withFlags(part.split(','));
  return (...given) => {
    const record = pattern.includes('{') ? given.shift() : '';
    const path = pattern.replace(/{\w+}/, encodeURIComponent(idOf(record)));
    const file = method === 'UPLOAD' ? { part, bytes: given.shift() as Blob } : undefined;
    const isDelete = method === 'DELETE' && pattern.endsWith('{id}');
    const parameters = (isDelete ? undefined : given.shift()) as Values | undefined;
    const request = { path, parameters, ifMatch: TAGS.get(record as object), ...(given[0] as CallOptions | undefined) };
    if (method === 'LIST') return listed(connection, request);
    if (method === 'UNKEYED') return connection.send({ ...request, method: 'POST', idempotencyKey: null });
    if (method === 'ROWS') return connection.send({ ...request, method: 'GET' }).then((rows) => rowsOf(rows).map(row));
    if (method === 'ROW') return connection.send({ ...request, method: 'GET' }).then(row);
    return connection.send(file ? { ...request, method: 'POST', file } : { ...request, method });
  };
}

function idOf(record: unknown): string {
  return String(typeof record === 'object' ? (record as { readonly id?: unknown } | null)?.id : record);
}

function listed(connection: Connection, request: Omit<Call, 'method'>): List<unknown> {
  const page = (parameters?: Values) =>
    connection.send({ ...request, method: 'GET', parameters }) as Promise<Page<unknown>>;
  async function* pages() {
    const { _page_number, ...rest }: Values = { _items_per_page: 100, ...request.parameters };
    let next: Values = _page_number === undefined ? rest : { ...rest, _page_number };
    for (;;) {
      const one = await page(next);
      yield one;
      const { next_cursor } = one.paging;
      if (next_cursor === null) return;
      next = { ...rest, _cursor: next_cursor };
    }
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its page
    then: (done, failed) => page(request.parameters).then(done, failed),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const one of pages()) yield* one.items;
    },
  };
}

/** A server with `--wire wing` puts every result into an object, which could be that of a resource if it holds a list. */
function rowsOf(answer: unknown): readonly unknown[] {
  return (Array.isArray(answer) ? answer : (answer as { readonly result: unknown }).result) as readonly unknown[];
}

/** Rows do not say their type, by which records get one form. */
function withFlags(flags: readonly string[]): (row: unknown) => unknown {
  const one = ([name, value]: [string, unknown]) => [name, flags.includes(name) ? Boolean(value) : value];
  return (row) => Object.fromEntries(Object.entries(row as Values).map(one));
}

const LONGEST_WAIT = 120_000;

class Connection implements Session {
  id: string | null;
  user_id: string | null = null;
  #credentials: Credentials | null = null;
  #renewal: Promise<void> | null = null;

  constructor(
    readonly options: ClientOptions,
    readonly formats: Formats,
  ) {
    this.id = options.session ?? null;
  }

  async login(credentials: Credentials): Promise<void> {
    const parameters = { ...credentials };
    const session = (await this.#once({ method: 'POST', path: '/api/session', parameters }, null)) as {
      readonly id: string;
      readonly user_id: string;
    };
    this.id = session.id;
    this.user_id = session.user_id;
    this.#credentials = credentials;
  }

  async logout(): Promise<void> {
    const { id } = this;
    this.id = this.user_id = this.#credentials = null;
    if (id !== null) await this.send({ method: 'DELETE', path: `/api/session/${encodeURIComponent(id)}` });
  }

  /** Repeats what may succeed later: a POST only with a key, which the service looks up for the user who sends it. */
  async send(given: Call): Promise<unknown> {
    const { retries = 3, token = null } = this.options;
    const isKeyed = given.method === 'POST' && retries > 0 && (this.id ?? token) !== null;
    const { idempotencyKey = isKeyed ? newKey() : null } = given;
    const request = { ...given, idempotencyKey };
    const repeatable = given.method !== 'POST' || idempotencyKey !== null;
    for (let attempt = 0, renewed = false; ; attempt++) {
      const { id } = this;
      try {
        return await this.#once(request, id ?? token);
      } catch (error) {
        if (!(error instanceof PunchboardError)) throw error;
        if (error.code === 'login_required' && this.#credentials !== null && !renewed) {
          renewed = true;
          // Another request may have renewed it, or be about to.
          if (this.#renewal !== null || id === this.id) await this.#renew(this.#credentials);
          continue;
        }
        const wait = waitAfter(error, attempt);
        if (!repeatable || attempt >= retries || wait > LONGEST_WAIT) throw error;
        await pause(wait, request.signal);
      }
    }
  }

  /** Requests that fail together log in once. */
  #renew(credentials: Credentials): Promise<void> {
    this.#renewal ??= this.login(credentials).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #once(request: Call, bearer: string | null): Promise<unknown> {
    const { method, path, signal, file } = request;
    const { fetch: send = fetch, baseUrl, onIgnored, version } = this.options;
    const { timeout = this.options.timeout ?? (file ? 0 : 60_000) } = request;
    const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
    const { query, body, headers } = encoded(request);
    if (bearer !== null) headers.authorization = `Bearer ${bearer}`;
    if (version !== undefined) headers['punchboard-version'] = version;
    let response: Response;
    let text: string;
    try {
      response = await send(baseUrl.replace(/\/+$/, '') + path + query, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any([signal, limit].filter((one) => one !== undefined)),
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const [code, late] = limit?.aborted ? ['timeout', ` in ${timeout} ms`] : ['network', ''];
      throw new PunchboardError({ status: 0, code, message: `${method} ${path}: no response${late}`, cause });
    }
    const ignored = response.headers.get('ignored-parameters');
    if (ignored !== null) onIgnored?.(ignored.split(', '), `${method} ${path}`);
    const decoded = parsed(text);
    if (!response.ok || decoded === undefined) throw problem(response, decoded);
    const answer = revived(isResult(decoded) ? decoded.result : decoded, this.formats);
    const tag = response.headers.get('etag');
    if (tag !== null && typeof answer === 'object' && answer !== null) TAGS.set(answer, tag);
    return answer;
  }
}

/** Milliseconds; infinite for what will not succeed later either. */
function waitAfter({ status, retryAfter }: PunchboardError, attempt: number): number {
  if (retryAfter !== null) return retryAfter * 1000;
  return status === 0 ? 100 * 2 ** attempt : Number.POSITIVE_INFINITY;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** 128 random bits. `crypto.randomUUID` works only on pages that came by HTTPS. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

function encoded({ method, parameters = {}, file, idempotencyKey, ifMatch }: Call) {
  const headers: Record<string, string> =
    typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {};
  if (ifMatch !== undefined && method !== 'GET') headers['if-match'] = ifMatch;
  const sent = Object.entries(parameters).filter(([, value]) => value !== undefined);
  if (method === 'GET') {
    // Lists in a query consist of names, such as those of related objects.
    const texts = sent.map(([name, value]): [string, string] => [
      name,
      Array.isArray(value) ? value.join(',') : asText(value),
    ]);
    return { query: texts.length === 0 ? '' : `?${new URLSearchParams(texts)}`, headers };
  }
  if (file !== undefined) {
    const body = new FormData();
    for (const [name, value] of sent) body.append(name, asText(value));
    // The file comes last, once its parameters are known. A part without a file name is not a file.
    body.append(file.part, file.bytes, (file.bytes as { name?: string }).name || String(parameters.name || 'upload'));
    return { query: '', headers, body };
  }
  if (sent.length === 0) return { query: '', headers };
  headers['content-type'] = 'application/json';
  return { query: '', headers, body: JSON.stringify(Object.fromEntries(sent)) };
}

function asText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A server with `--wire wing` puts every result into an object. */
function isResult(body: unknown): body is { readonly result: unknown } {
  if (typeof body !== 'object' || body === null || Object.keys(body).length !== 1) return false;
  return 'result' in body && !Array.isArray(body.result);
}

/** The errors that have a status of their own with `--wire wing`. */
const WING: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'login_required',
  404: 'not_found',
  405: 'method',
  409: 'conflict',
  413: 'too_large',
  440: 'reference_not_found',
  441: 'required',
  442: 'invalid',
  443: 'not_unique',
  444: 'unsupported_file',
  450: 'forbidden',
  452: 'rate_limited',
  453: 'precondition_failed',
  454: 'login_required',
  500: 'internal',
  503: 'unavailable',
  507: 'storage_full',
};

function problem({ status, headers }: Response, body: unknown): PunchboardError {
  const { code, detail, errors, error } = (body ?? {}) as {
    readonly code?: string;
    readonly detail?: string;
    readonly errors?: readonly Failure[];
    readonly error?: { readonly message: string; readonly data?: unknown };
  };
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const common = { status, requestId: headers.get('x-request-id'), retryAfter: retryAfter >= 0 ? retryAfter : null };
  if (error === undefined)
    return new PunchboardError({
      ...common,
      code: code ?? 'unknown',
      message: detail ?? `status ${status}`,
      failures: errors ?? [],
    });
  const { message, data } = error;
  // The challenge says whether it is the session that is missing, or the scope.
  const challenge = headers.get('www-authenticate');
  const named =
    challenge === null ? (WING[status] ?? 'unknown') : (/error="(\w+)"/.exec(challenge)?.[1] ?? 'login_required');
  const failures =
    typeof data === 'string' && named !== 'precondition_failed' ? [{ field: data, code: named, message }] : [];
  return new PunchboardError({ ...common, code: named, message, failures });
}

/** Gives records one form, whatever the profile of the server: booleans, and dates of ISO 8601. */
function revived(value: unknown, formats: Formats): unknown {
  if (Array.isArray(value)) return value.map((one) => revived(one, formats));
  if (typeof value !== 'object' || value === null) return value;
  const { object_type: type } = value as { readonly object_type?: string };
  const { booleans = [], dates = [] } = (type === undefined ? undefined : formats[type]) ?? {};
  const isDate = (name: string) => dates.includes(name) || (type !== undefined && /^date_(?:cre|upd)ated$/.test(name));
  const one = ([name, inner]: [string, unknown]) => {
    if (typeof inner === 'number' && booleans.includes(name)) return [name, inner === 1];
    if (typeof inner === 'string' && isDate(name)) return [name, inner.replace(/^(\S+) (\S+)$/, '$1T$2Z')];
    return [name, revived(inner, formats)];
  };
  return Object.fromEntries(Object.entries(value).map(one));
}
