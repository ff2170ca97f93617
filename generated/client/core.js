// Written by `punchboard gen`, the same for every service. Do not edit.
// What every generated client shares: requests, sessions, pages, retries and errors. `gen` copies it, compiled, into the client's
// package. It depends on nothing but fetch and WebCrypto: Node 20 and browsers have both.
const TAGS = new WeakMap();
export function tagOf(record) {
    return TAGS.get(record);
}
export class PunchboardError extends Error {
    status;
    code;
    failures;
    requestId;
    retryAfter;
    constructor({ status, code, message, failures = [], requestId = null, retryAfter = null, cause }) {
        super(message, { cause });
        this.name = 'PunchboardError';
        this.status = status;
        this.code = code;
        this.failures = failures;
        this.requestId = requestId;
        this.retryAfter = retryAfter;
    }
    field(name) {
        return this.failures.find(({ field }) => field === name || field.startsWith(`${name}/`));
    }
}
export function createClient(routes, formats) {
    class PunchboardClient {
        session;
        constructor(options) {
            const connection = new Connection(options, formats);
            this.session = connection;
            const resources = Object.entries(routes).map(([name, methods]) => [name, bound(methods, connection)]);
            Object.assign(this, Object.fromEntries(resources));
        }
        static async login(options) {
            const client = new PunchboardClient(options);
            const { username, password, api_key_id } = options;
            await client.session.login({ username, password, ...(api_key_id === undefined ? {} : { api_key_id }) });
            return client;
        }
    }
    return PunchboardClient;
}
function bound(methods, connection) {
    return Object.fromEntries(Object.entries(methods).map(([name, route]) => [name, call(route, connection)]));
}
function call(route, connection) {
    const [method = '', pattern = '', part = ''] = route.split(' ');
    const row = withFlags(part.split(','));
    return (...given) => {
        const record = pattern.includes('{') ? given.shift() : '';
        const path = pattern.replace(/{\w+}/, encodeURIComponent(idOf(record)));
        const file = method === 'UPLOAD' ? { part, bytes: given.shift() } : undefined;
        const isDelete = method === 'DELETE' && pattern.endsWith('{id}');
        const parameters = (isDelete ? undefined : given.shift());
        const request = { path, parameters, ifMatch: TAGS.get(record), ...given[0] };
        if (method === 'LIST')
            return listed(connection, request);
        if (method === 'UNKEYED')
            return connection.send({ ...request, method: 'POST', idempotencyKey: null });
        if (method === 'ROWS')
            return connection.send({ ...request, method: 'GET' }).then((rows) => rowsOf(rows).map(row));
        if (method === 'ROW')
            return connection.send({ ...request, method: 'GET' }).then(row);
        return connection.send(file ? { ...request, method: 'POST', file } : { ...request, method });
    };
}
function idOf(record) {
    return String(typeof record === 'object' ? record?.id : record);
}
function listed(connection, request) {
    const page = (parameters) => connection.send({ ...request, method: 'GET', parameters });
    async function* pages() {
        const { _page_number, ...rest } = { _items_per_page: 100, ...request.parameters };
        let next = _page_number === undefined ? rest : { ...rest, _page_number };
        for (;;) {
            const one = await page(next);
            yield one;
            const { next_cursor } = one.paging;
            if (next_cursor === null)
                return;
            next = { ...rest, _cursor: next_cursor };
        }
    }
    return {
        // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its page
        then: (done, failed) => page(request.parameters).then(done, failed),
        pages,
        async *[Symbol.asyncIterator]() {
            for await (const one of pages())
                yield* one.items;
        },
    };
}
function rowsOf(answer) {
    return (Array.isArray(answer) ? answer : answer.result);
}
function withFlags(flags) {
    const one = ([name, value]) => [name, flags.includes(name) ? Boolean(value) : value];
    return (row) => Object.fromEntries(Object.entries(row).map(one));
}
const LONGEST_WAIT = 120_000;
class Connection {
    options;
    formats;
    id;
    user_id = null;
    #credentials = null;
    #renewal = null;
    constructor(options, formats) {
        this.options = options;
        this.formats = formats;
        this.id = options.session ?? null;
    }
    async login(credentials) {
        const parameters = { ...credentials };
        const session = (await this.#once({ method: 'POST', path: '/api/session', parameters }, null));
        this.id = session.id;
        this.user_id = session.user_id;
        this.#credentials = credentials;
    }
    async logout() {
        const { id } = this;
        this.id = this.user_id = this.#credentials = null;
        if (id !== null)
            await this.send({ method: 'DELETE', path: `/api/session/${encodeURIComponent(id)}` });
    }
    async send(given) {
        const { retries = 3, token = null } = this.options;
        const isKeyed = given.method === 'POST' && retries > 0 && (this.id ?? token) !== null;
        const { idempotencyKey = isKeyed ? newKey() : null } = given;
        const request = { ...given, idempotencyKey };
        const repeatable = given.method !== 'POST' || idempotencyKey !== null;
        for (let attempt = 0, renewed = false;; attempt++) {
            const { id } = this;
            try {
                return await this.#once(request, id ?? token);
            }
            catch (error) {
                if (!(error instanceof PunchboardError))
                    throw error;
                if (error.code === 'login_required' && this.#credentials !== null && !renewed) {
                    renewed = true;
                    // Another request may have renewed it, or be about to.
                    if (this.#renewal !== null || id === this.id)
                        await this.#renew(this.#credentials);
                    continue;
                }
                const wait = waitAfter(error, attempt);
                if (!repeatable || attempt >= retries || wait > LONGEST_WAIT)
                    throw error;
                await pause(wait, request.signal);
            }
        }
    }
    #renew(credentials) {
        this.#renewal ??= this.login(credentials).finally(() => {
            this.#renewal = null;
        });
        return this.#renewal;
    }
    async #once(request, bearer) {
        const { method, path, signal, file } = request;
        const { fetch: send = fetch, baseUrl, onIgnored, version } = this.options;
        const { timeout = this.options.timeout ?? (file ? 0 : 60_000) } = request;
        const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
        const { query, body, headers } = encoded(request);
        if (bearer !== null)
            headers.authorization = `Bearer ${bearer}`;
        if (version !== undefined)
            headers['punchboard-version'] = version;
        let response;
        let text;
        try {
            response = await send(baseUrl.replace(/\/+$/, '') + path + query, {
                method,
                headers,
                ...(body === undefined ? {} : { body }),
                signal: AbortSignal.any([signal, limit].filter((one) => one !== undefined)),
            });
            text = await response.text();
        }
        catch (cause) {
            signal?.throwIfAborted();
            const [code, late] = limit?.aborted ? ['timeout', ` in ${timeout} ms`] : ['network', ''];
            throw new PunchboardError({ status: 0, code, message: `${method} ${path}: no response${late}`, cause });
        }
        const ignored = response.headers.get('ignored-parameters');
        if (ignored !== null)
            onIgnored?.(ignored.split(', '), `${method} ${path}`);
        const decoded = parsed(text);
        if (!response.ok || decoded === undefined)
            throw problem(response, decoded);
        const answer = revived(isResult(decoded) ? decoded.result : decoded, this.formats);
        const tag = response.headers.get('etag');
        if (tag !== null && typeof answer === 'object' && answer !== null)
            TAGS.set(answer, tag);
        return answer;
    }
}
function waitAfter({ status, retryAfter }, attempt) {
    if (retryAfter !== null)
        return retryAfter * 1000;
    return status === 0 ? 100 * 2 ** attempt : Number.POSITIVE_INFINITY;
}
function pause(milliseconds, signal) {
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
function newKey() {
    return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
function encoded({ method, parameters = {}, file, idempotencyKey, ifMatch }) {
    const headers = typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {};
    if (ifMatch !== undefined && method !== 'GET')
        headers['if-match'] = ifMatch;
    const sent = Object.entries(parameters).filter(([, value]) => value !== undefined);
    if (method === 'GET') {
        // Lists in a query consist of names, such as those of related objects.
        const texts = sent.map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(',') : asText(value),
        ]);
        return { query: texts.length === 0 ? '' : `?${new URLSearchParams(texts)}`, headers };
    }
    if (file !== undefined) {
        const body = new FormData();
        for (const [name, value] of sent)
            body.append(name, asText(value));
        // The file comes last, once its parameters are known. A part without a file name is not a file.
        body.append(file.part, file.bytes, file.bytes.name || String(parameters.name || 'upload'));
        return { query: '', headers, body };
    }
    if (sent.length === 0)
        return { query: '', headers };
    headers['content-type'] = 'application/json';
    return { query: '', headers, body: JSON.stringify(Object.fromEntries(sent)) };
}
function asText(value) {
    if (value === null)
        return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function isResult(body) {
    if (typeof body !== 'object' || body === null || Object.keys(body).length !== 1)
        return false;
    return 'result' in body && !Array.isArray(body.result);
}
const WING = {
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
function problem({ status, headers }, body) {
    const { code, detail, errors, error } = (body ?? {});
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
    const named = challenge === null ? (WING[status] ?? 'unknown') : (/error="(\w+)"/.exec(challenge)?.[1] ?? 'login_required');
    const failures = typeof data === 'string' && named !== 'precondition_failed' ? [{ field: data, code: named, message }] : [];
    return new PunchboardError({ ...common, code: named, message, failures });
}
function revived(value, formats) {
    if (Array.isArray(value))
        return value.map((one) => revived(one, formats));
    if (typeof value !== 'object' || value === null)
        return value;
    const { object_type: type } = value;
    const { booleans = [], dates = [] } = (type === undefined ? undefined : formats[type]) ?? {};
    const isDate = (name) => dates.includes(name) || (type !== undefined && /^date_(?:cre|upd)ated$/.test(name));
    const one = ([name, inner]) => {
        if (typeof inner === 'number' && booleans.includes(name))
            return [name, inner === 1];
        if (typeof inner === 'string' && isDate(name))
            return [name, inner.replace(/^(\S+) (\S+)$/, '$1T$2Z')];
        return [name, revived(inner, formats)];
    };
    return Object.fromEntries(Object.entries(value).map(one));
}
