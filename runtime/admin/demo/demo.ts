// Fills the demo (D35): a record of every resource that can be stored, created through the operations as a client would.

import { Readable } from 'node:stream';
import { addUser, type NewUser } from '../../auth/add-user.js';
import type { Session } from '../../auth/sessions.js';
import type { AnyDefinition, Input, Reference, Upload } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { Random } from '../../contract/ids.js';
import type { Blobs } from '../../files/blobs.js';
import type { Service } from '../../server/open-service.js';
import { StartError } from '../../store/start-error.js';
import { demoOrder, type ExampleDocument, exampleInputs } from './examples.js';
import { pngSquare, SVG_HEXAGON } from './images.js';

export interface Demo {
  /** Ids of the records that have just been created, by resource; those of an earlier start are not looked for. */
  readonly records: ReadonlyMap<string, string>;
  /** The record that `demoLines` shows; null: there is none. */
  readonly shown: { readonly resource: string; readonly id: string; readonly another: Input | null } | null;
  /** Id of a fresh session of the demo user. */
  readonly session: string;
  /** The demo user's password if the user has just been created; it cannot be looked up later. */
  readonly password: string | null;
}

/** The sources of the demo. */
export interface DemoSources {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly random: Random;
  /** The API document of the service. */
  readonly document: ExampleDocument;
}

const USERNAME = 'demo';
/** Another user, for records that refer to one. */
const GUEST = 'demo-guest';

/** Creates the records unless the demo user already exists. */
export async function fillDemo(service: Service, blobs: Blobs, sources: DemoSources): Promise<Demo> {
  const { now, random } = sources;
  const secret = (): string => Buffer.from(random(15)).toString('base64url');
  const password = secret();
  const more = exampleInputs(service.principal, sources.document, NOTHING_CREATED).at(-1) ?? {};
  // Hashing a password takes longer than the rest of a start.
  const isThere = (await service.engine.identity.account(USERNAME)) !== null;
  const user = isThere ? null : await createUser(service, { username: USERNAME, password, more }, now);
  const session = await openSession(service, now);
  const filler = new Filler(service, blobs, { ...sources, user: session.user });
  if (user !== null) {
    filler.guest = await createUser(service, { username: GUEST, password: secret(), more }, now);
    await filler.fill();
  }
  const shown = await filler.shown();
  return { records: filler.created, shown, session: session.id, password: user === null ? null : password };
}

const NOTHING_CREATED = { idOf: () => undefined, created: new Map<string, string>() };

/** Lines for the operator: the password if it is new, and requests to copy and run. */
export function demoLines(address: string, { shown, session, password }: Demo): readonly string[] {
  const lines: string[] = [];
  if (password !== null) lines.push(`The user ${USERNAME} has the password ${password} (shown only now)`);
  if (shown === null) return [...lines, 'There is no record of the demo to show.'];
  const { resource, id, another } = shown;
  lines.push(`curl '${address}/api/${resource}/${id}?session_id=${session}'`);
  if (another !== null) {
    const body = JSON.stringify({ ...another, session_id: session }).replaceAll("'", "'\\''");
    lines.push(`curl -X POST ${address}/api/${resource} -H 'Content-Type: application/json' -d '${body}'`);
  }
  return lines;
}

/** Null if the name is taken. */
async function createUser(service: Service, user: Omit<NewUser, 'admin'>, now: number): Promise<string | null> {
  try {
    const text = await addUser(service, { ...user, admin: false }, now);
    return (JSON.parse(text) as { id: string }).id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_unique') return null;
    throw error;
  }
}

/** Opens a session without a login: an operator who restarts the demo has the database and need not know the password. */
async function openSession({ engine, sessions }: Service, now: number): Promise<Session> {
  const account = await engine.identity.account(USERNAME);
  if (account === null) {
    throw new StartError(
      `the demo cannot create its user ${USERNAME}, since another has its values: start without --demo`,
    );
  }
  return sessions.open({ user: account.id, password: account.password, apiKey: null }, now);
}

/** The files that references may name, by media type. */
const FILES: Readonly<Record<string, Buffer>> = { 'image/png': pngSquare(200, 40, 40), 'image/svg+xml': SVG_HEXAGON };

class Filler {
  readonly created = new Map<string, string>();
  guest: string | null = null;
  private readonly files = new Map<string, string>();

  constructor(
    private readonly service: Service,
    private readonly blobs: Blobs,
    private readonly sources: DemoSources & { readonly user: string },
  ) {}

  async fill(): Promise<void> {
    for (const definition of demoOrder(this.service.definitions)) {
      if (definition.upload === null) await this.store(definition, null);
      else for (const [type, bytes] of Object.entries(FILES)) await this.keep(definition, type, bytes);
    }
  }

  /** The first record that the demo user owns: below another record if there is one, else one with actions, else any. */
  async shown(): Promise<Demo['shown']> {
    const owned = this.service.definitions.filter(
      ({ operations, upload, servedBy }) => operations.create === 'session' && upload === null && servedBy === null,
    );
    const rank = ({ references, actions }: AnyDefinition): number => {
      if (references.some(({ place, to }) => place && this.definition(to)?.principal === false)) return 0;
      return Object.values(actions).some(({ renews }) => renews === undefined) ? 1 : 2;
    };
    for (const definition of owned.toSorted((one, other) => rank(one) - rank(other))) {
      const id = await this.first(definition);
      if (id !== null) return { resource: definition.name, id, another: await this.another(definition) };
    }
    return null;
  }

  /** Parameters of one more record; null: a record that it must refer to is missing. */
  private async another(definition: AnyDefinition): Promise<Input | null> {
    const ids = new Map<string, string>();
    for (const { column, to, required } of definition.references) {
      const id = required ? await this.firstOf(to) : null;
      if (id !== null) ids.set(column, id);
      else if (required) return null;
    }
    const around = { idOf: ({ column }: Reference) => ids.get(column), created: this.created };
    return exampleInputs(definition, this.sources.document, around).at(-1) ?? null;
  }

  private async firstOf(name: string): Promise<string | null> {
    const definition = this.definition(name);
    if (definition === undefined) return null;
    return definition.principal ? this.sources.user : this.first(definition);
  }

  /** The first record in the list of the record that decides on its placement. */
  private async first(definition: AnyDefinition): Promise<string | null> {
    const place = definition.references.find((one) => one.place);
    const list = definition.lists.find(({ parent, by }) => parent === place?.to && by === place?.column);
    const parent = place === undefined ? undefined : this.definition(place.to);
    const id = parent === undefined ? null : await this.firstOf(parent.name);
    if (list === undefined || parent === undefined || id === null) return null;
    const { body } = await this.service.operations.list({ ...this.call(parent, false), id, name: list.name });
    return (JSON.parse(body) as { items: { id: string }[] }).items[0]?.id ?? null;
  }

  private async keep(definition: AnyDefinition, type: string, bytes: Buffer): Promise<void> {
    const name = `example.${type.replace(/^image\/|\+xml$/g, '')}`;
    const received = await this.blobs.receive(Readable.from([bytes]), { name, maxBytes: bytes.length });
    const id = await this.store(definition, await this.blobs.keep(received));
    if (id !== null) this.files.set(type, id);
  }

  /** Null: a rule of the service refuses the example. */
  private async store(definition: AnyDefinition, upload: Upload | null): Promise<string | null> {
    const around = { idOf: (reference: Reference) => this.target(reference), created: this.created };
    for (const parameters of exampleInputs(definition, this.sources.document, around)) {
      try {
        const call = this.call(definition, definition.operations.create === 'admin');
        const { body } = await this.service.operations.create({ ...call, parameters, upload });
        const { id } = JSON.parse(body) as { id: string };
        this.created.set(definition.name, id);
        return id;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    }
    return null;
  }

  private target({ to, place, accepts }: Reference): string | undefined {
    const target = this.definition(to);
    if (target?.principal) return place ? this.sources.user : (this.guest ?? this.sources.user);
    if (!target?.upload) return this.created.get(to);
    return [...this.files].find(([type]) => accepts === undefined || accepts.includes(type))?.[1];
  }

  private definition(name: string): AnyDefinition | undefined {
    return this.service.definitions.find((one) => one.name === name);
  }

  private call(definition: AnyDefinition, admin: boolean) {
    const { user, now } = this.sources;
    return { definition, id: '', name: '', parameters: {}, caller: { user, admin }, now, upload: null };
  }
}
