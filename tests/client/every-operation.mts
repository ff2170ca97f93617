// Calls every method of every resource of the generated client, with the examples of the API document. Runs in Node and in
// browsers, so it imports nothing.

import type { Punchboard as Api } from '../../generated/client/index.js';

export type Package = typeof import('../../generated/client/index.js');

export interface Setting {
  readonly baseUrl: string;
  /** An administrator. */
  readonly username: string;
  readonly password: string;
  /** An address for callbacks of web hooks. */
  readonly receiver: string;
  /** Files in base64. */
  readonly png: string;
  readonly svg: string;
  readonly pdf: string;
  /** The resources, in an order in which those that others refer to come first. */
  readonly order: readonly string[];
  /** The resources that the parameters refer to, by `card.deck_id`. */
  readonly targets: Readonly<Record<string, string>>;
  /** The made-up id of the examples. */
  readonly exampleId: string;
}

export interface Report {
  /** `boxtop.create` */
  readonly called: readonly string[];
  readonly missed: readonly string[];
  readonly failures: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;
type Method = (...given: readonly unknown[]) => Promise<Values>;
type Methods = Readonly<Record<string, Method>>;

export async function everyOperation({ Punchboard }: Package, setting: Setting): Promise<Report> {
  const { baseUrl, username, password } = setting;
  const first = await Punchboard.login({ baseUrl, username, password });
  const key = await first.apikey.create({ name: 'Example program' });
  const api = await Punchboard.login({ baseUrl, username, password, api_key_id: key.id });
  const ids = new Map([
    ['apikey', key.id],
    ['user', String(api.session.user_id)],
    ['folder', (await api.folder.create({ name: 'All' })).id],
    ['image/svg+xml', (await api.file.upload(bytesOf(setting.svg, 'image/svg+xml'), { name: 'outline.svg' })).id],
    ['application/pdf', (await api.file.upload(bytesOf(setting.pdf, 'application/pdf'), { name: 'rules.pdf' })).id],
  ]);
  const run = new Run(setting, await documentAt(baseUrl), ids);
  const resources = Object.keys(api).filter((name) => name !== 'session');
  const ordered = setting.order;
  for (const resource of ordered) await run.make(resource, methodsOf(api, resource));
  for (const resource of ordered) await run.use(resource, methodsOf(api, resource));
  for (const resource of ordered.toReversed()) await run.remove(resource, methodsOf(api, resource));
  await run.catalogue(api.catalogue);
  await api.session.logout();
  const all = resources.flatMap((resource) =>
    Object.keys(methodsOf(api, resource)).map((name) => `${resource}.${name}`),
  );
  return { called: [...run.called], missed: all.filter((one) => !run.called.has(one)), failures: run.failures };
}

function methodsOf(api: Api, resource: string): Methods {
  return (api as unknown as Readonly<Record<string, Methods>>)[resource] ?? {};
}

type Examples = Readonly<Record<string, { readonly value: Values } | undefined>>;

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly examples: Examples };
}

interface Operation {
  /** The resource whose records it creates. */
  readonly tags: readonly [string];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: Examples }>> };
}

async function documentAt(baseUrl: string): Promise<Document> {
  return (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
}

class Run {
  readonly called = new Set<string>();
  readonly failures: string[] = [];
  readonly #made = new Map<string, string>();

  constructor(
    readonly setting: Setting,
    readonly document: Document,
    readonly ids: Map<string, string>,
  ) {}

  async make(resource: string, methods: Methods): Promise<void> {
    const { create, upload } = methods;
    const parameters = { ...this.example(resource, `${resource}_create`), ...(resource === 'user' ? UNIQUE : {}) };
    const record = upload
      ? await this.call(`${resource}.upload`, () => upload(bytesOf(this.setting.png, 'image/png'), { name: 'top.png' }))
      : await this.call(`${resource}.create`, () => create?.(parameters));
    this.#made.set(resource, String(record.id));
    if (!this.ids.has(resource)) this.ids.set(resource, String(record.id));
  }

  async use(resource: string, methods: Methods): Promise<void> {
    const id = this.#made.get(resource) ?? '';
    for (const [name, method] of Object.entries(methods)) {
      const title = `${resource}.${name}`;
      const given = this.example(resource, `${resource}_${name}`);
      if (['create', 'upload', 'delete', ...('deliveries' in methods ? HOOK_METHODS : [])].includes(name)) continue;
      if (name === 'get') await this.get(title, () => method(id, { _include_relationships: true }));
      else if (name.startsWith('by_')) await this.by(title, resource, methods);
      else if (name === 'update')
        await this.call(title, () => method(id, this.example(resource, `${resource}_update`)));
      else if (name.startsWith('bulk')) await this.bulk(title, (sent) => method(id, sent));
      else if (name === 'options') await this.call(title, () => method());
      else if (given === undefined && isList(method, id))
        await this.list(title, () => method(id, { _items_per_page: 1 }));
      else await this.act(title, () => method(id, given), methods);
    }
    if ('deliveries' in methods) await this.hooks(resource, id, methods);
  }

  /** Calls what administrators read of a web hook and do to it: its subscribe callback is the first delivery. */
  async hooks(resource: string, id: string, { deliveries, ...methods }: Methods): Promise<void> {
    const found: Values[] = [];
    await this.call(`${resource}.deliveries`, async () => {
      const list = deliveries?.(id, { _items_per_page: 1 }) as unknown as AsyncIterable<Values>;
      for await (const one of list) found.push(one);
      return {};
    });
    const { id: delivery_id, created } = found.at(-1) ?? {};
    const { message } = await this.call(`${resource}.message`, () => methods.message?.(id, { delivery_id }));
    const isFormed = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(created));
    if (!isFormed || JSON.parse(String(message)).type !== 'subscribe') this.failures.push(`${resource}: ${message}`);
    const { retried } = await this.call(`${resource}.retry`, () =>
      methods.retry?.(id, { since: '2100-01-01T00:00:00Z' }),
    );
    if (retried !== 0) this.failures.push(`${resource}.retry: ${retried}`);
    for (const name of ['pause', 'resume']) await this.call(`${resource}.${name}`, () => methods[name]?.(id));
  }

  /** Rows have the same form in both profiles. */
  async catalogue({ all, get }: Api['catalogue']): Promise<void> {
    const rows: Awaited<ReturnType<typeof all>>[number][] = [];
    await this.call('catalogue.all', async () => {
      rows.push(...(await all({ active_only: true })));
      return {};
    });
    const [first] = rows;
    const row = await this.call('catalogue.get', async () => ({ ...(await get(String(first?.identity))) }));
    if (row.active !== true || JSON.stringify(row) !== JSON.stringify(first))
      this.failures.push(`catalogue.get: ${JSON.stringify({ row, first })}`);
  }

  /** Deletes the records that an action created, which would prevent the deletion of others. */
  async act(title: string, run: () => Promise<Values>, { delete: remove }: Methods): Promise<void> {
    const [resource = ''] = title.split('.');
    const { id } = await this.call(title, run);
    if (typeof id === 'string' && id !== this.#made.get(resource)) await this.call(title, () => remove?.(id));
  }

  async remove(resource: string, methods: Methods): Promise<void> {
    const { delete: remove } = methods;
    if (remove === undefined) return;
    const done = await this.call(`${resource}.delete`, () => remove(this.#made.get(resource)));
    if (done.success !== 1) this.failures.push(`${resource}.delete: ${JSON.stringify(done)}`);
  }

  /** Checks that a fetch by a unique value returns the same record as the fetch by its id. */
  async by(title: string, resource: string, methods: Methods): Promise<void> {
    const [, word = ''] = title.split('.by_');
    const start = `/api/${resource}/${word}/{`;
    const path = Object.keys(this.document.paths).find((one) => one.startsWith(start)) ?? '';
    const column = path.slice(start.length, -1);
    const id = this.#made.get(resource);
    const record = (await methods.get?.(id)) ?? {};
    const found = await this.call(title, () => methods[`by_${word}`]?.(record[column]));
    if (found.id !== id) this.failures.push(`${title}: ${JSON.stringify(found)}`);
  }

  /** Records have the same form in both profiles: booleans, and dates of ISO 8601. */
  async get(title: string, run: () => Promise<Values>): Promise<void> {
    const record = await this.call(title, run);
    const flags = Object.entries(record).filter(([name]) => name.startsWith('has_proofed_'));
    const isFormed = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(record.date_created));
    if (!isFormed || flags.some(([, value]) => typeof value !== 'boolean') || record._relationships === undefined)
      this.failures.push(`${title}: ${JSON.stringify(record)}`);
  }

  /** Creates the records that the example of the route lists. */
  async bulk(title: string, run: (sent: Values) => Promise<Values>): Promise<void> {
    const path = plain(`/api/${title.replace('.', '/{id}/')}`);
    const found = Object.entries(this.document.paths).find(([one]) => plain(one) === path)?.[1].post;
    const example = found?.requestBody?.content['application/json']?.examples?.one?.value ?? {};
    const sent = this.filled(example, found?.tags[0] ?? '', '') as Readonly<Record<string, readonly Values[]>>;
    const { errors, ...lists } = await this.call(title, () => run(sent));
    const [[list, items] = ['', []]] = Object.entries(sent);
    const made = (lists[list] ?? []) as readonly Values[];
    const isMade = made.length === items.length && made.every(({ id, name }, at) => id && name === items[at]?.name);
    if (errors !== 0 || items.length === 0 || !isMade)
      this.failures.push(`${title}: ${JSON.stringify({ sent, errors, ...lists })}`);
  }

  /** Awaits the list, which gives a page, and iterates over it, which gives all records. */
  async list(title: string, run: () => unknown): Promise<void> {
    const page = (await this.call(title, run as () => Promise<Values>)) as unknown as {
      readonly paging: { readonly total_items: number };
    };
    let count = 0;
    for await (const record of run() as AsyncIterable<Values>) count += typeof record.id === 'string' ? 1 : 0;
    if (count !== page.paging.total_items) this.failures.push(`${title}: ${count} of ${page.paging.total_items}`);
  }

  async call(title: string, run: () => Promise<Values> | undefined): Promise<Values> {
    this.called.add(title);
    try {
      return (await run()) ?? {};
    } catch (error) {
      this.failures.push(`${title}: ${error} ${JSON.stringify((error as { failures?: unknown }).failures)}`);
      return {};
    }
  }

  /** The fullest example, with ids of records that exist. */
  example(resource: string, name: string): Values | undefined {
    const found = ['all', 'change', 'required']
      .map((key) => this.document.components.examples[`${name}_${key}`])
      .find(Boolean);
    return found && (this.filled(found.value, resource, '') as Values);
  }

  filled(value: unknown, resource: string, key: string): unknown {
    if (value === this.setting.exampleId) return this.ids.get(this.target(key, resource));
    if (key === 'callback_uri') return this.setting.receiver;
    if (Array.isArray(value)) return value.map((one) => this.filled(one, resource, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.filled(one, resource, name)]));
  }

  target(parameter: string, resource: string): string {
    return this.setting.targets[`${resource}.${parameter}`] ?? parameter.replace(/_id$/, '');
  }
}

const HOOK_METHODS = ['deliveries', 'message', 'retry', 'pause', 'resume'];

/** Replaces a name that has to be unique. */
const UNIQUE = { username: 'bea' };

/** Removes what distinguishes a path from the name of a method: `bulk-cards` and `bulkCards`. */
function plain(path: string): string {
  return path.replaceAll(/[-_]/g, '').toLowerCase();
}

/** A list is not a promise, but can be awaited; nothing is sent before that. */
function isList(method: Method, id: string): boolean {
  return Symbol.asyncIterator in Object(quietly(() => method(id)));
}

function quietly(run: () => Promise<Values>): unknown {
  const result = run();
  if (result instanceof Promise) result.catch(() => undefined);
  return result;
}

function bytesOf(base64: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type });
}
