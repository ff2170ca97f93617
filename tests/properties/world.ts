// The records that a test needs: valid ones of any resource, after those that they refer to, each with an owner.
import { GIF, JPEG, PNG, SVG, WEBP } from '../files/samples.js';
import { runSql } from '../support/database.js';
import type { Facts, ProjectFacts } from './facts.js';
import { completeByModule } from './modules.js';
import { type Parameter, parametersOf, policyOf } from './reading.js';
import { type HeldRights, isPrincipal, type KnownRecord } from './rights.js';
import { type Answer, type Bytes, mark, type Person, type SentParameters, type Service } from './service.js';
import { acceptedBy, hasToDiffer, isFree, isScarce, maySend, ownedBy, valueFor } from './supply.js';
import { sample } from './values.js';

/** A record that cannot be created by what the descriptors say. */
export class Unmade extends Error {}

/** A record that has to differ from all others, but too few values are left. */
export class Scarce extends Unmade {
  constructor(
    { resource }: Facts,
    readonly answer: Answer,
  ) {
    super(`there are too few values for one more ${resource}: ${answer.said}`);
  }
}

/** A small file of each media type. */
export const FILES: Readonly<Record<string, Uint8Array>> = {
  'image/png': PNG,
  'image/jpeg': JPEG,
  'image/gif': GIF,
  'image/webp': WEBP,
  'image/svg+xml': SVG,
  'application/pdf': Buffer.from('%PDF-1.7\n'),
  // An empty archive.
  'application/zip': Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1'),
  'application/octet-stream': Buffer.from('plain'),
};

/** Which parameters to send: those that a create requires, or the optional ones too. */
type Which = 'required' | 'all';

/** A service with nobody in it but an owner, a stranger and an administrator. */
export async function openWorld(service: Service, project: ProjectFacts): Promise<World> {
  const world = new World(service, project);
  const names = ['owner', 'stranger', 'admin'] as const;
  await Promise.all(
    names.map(async (name) => Object.assign(world, { [name]: await world.somebody(name, {}, name === 'admin') })),
  );
  // Looking at a record needs the administrator, who exists only now.
  for (const person of [world.owner, world.stranger, world.admin])
    await world.madeWith(await world.look(await world.home(principalOf(project).resource, person)));
  return world;
}

export class World implements KnownRecord {
  readonly owner!: Person;
  /** Has records of their own, and no right on the owner's. */
  readonly stranger!: Person;
  readonly admin!: Person;
  private readonly all = new Map<string, Map<string, HeldRights>>();
  private readonly homes = new Map<string, Promise<HeldRights>>();
  private described: Promise<Answer> | null = null;

  constructor(
    readonly service: Service,
    readonly project: ProjectFacts,
  ) {}

  facts(name: string): Facts {
    return this.project.resources.find(({ resource }) => resource === name) ?? missing(name);
  }

  record(name: string, id: unknown): HeldRights | undefined {
    return this.all.get(name)?.get(String(id));
  }

  records(name: string): readonly HeldRights[] {
    return [...(this.all.get(name)?.values() ?? [])];
  }

  /** Creates a user without any records. */
  async somebody(name: string, more: SentParameters = {}, admin = false): Promise<Person> {
    const principal = principalOf(this.project);
    const { password, ...input } = userInput(principal);
    const person = await this.service.user(name, { ...input, ...more, password, admin });
    const held = this.keep({ resource: principal.resource, id: person.id ?? '', values: { ...input, id: person.id } });
    if (this.admin !== undefined) await this.madeWith(held);
    return person;
  }

  /** Parameters of a valid create for the holder. */
  async sent(name: string, holder: Person, which: Which = 'required'): Promise<SentParameters> {
    const facts = this.facts(name);
    const parameters = parametersOf(facts).filter(
      (one) => one.required || hasToDiffer(this, facts, one) || (which === 'all' && isFree(this, one)),
    );
    const values: Record<string, unknown> = {};
    // Records that have to be of the same owner name that owner, whoever creates them.
    if (Object.values(facts.fields).some(({ inside }) => inside)) Object.assign(values, ownedBy(this, facts, holder));
    for (const one of parameters) values[one.name] = await valueFor(this, facts, one, holder);
    return completeByModule(this, facts, values, holder);
  }

  /** A person who may create a record with these parameters: the holder if possible. */
  maker(name: string, holder: Person, sent: SentParameters): Person {
    const facts = this.facts(name);
    if (policyOf(facts, 'create') === 'admin') return this.admin;
    return parametersOf(facts).every((one) => maySend(this, holder, one, sent[one.name])) ? holder : this.admin;
  }

  async create(person: Person, name: string, sent: SentParameters, bytes?: Bytes): Promise<Answer> {
    const facts = this.facts(name);
    const { upload } = facts;
    const part = upload === undefined ? undefined : (bytes ?? { part: upload.part, name: 'sample', bytes: PNG });
    return this.enough(facts, await this.service.ask(person, 'POST', `/api/${name}`, sent, part));
  }

  /** The answer; throws `Scarce` if a value is taken and others are hard to find. */
  enough(facts: Facts, answer: Answer): Answer {
    if (answer.said.includes('not_unique') && isScarce(this, facts)) throw new Scarce(facts, answer);
    return answer;
  }

  /** Creates a record of the holder; throws if that is refused. */
  async make(name: string, holder: Person, more: SentParameters = {}, which: Which = 'required'): Promise<HeldRights> {
    const facts = this.facts(name);
    // Users are created in the engine: hashing a password for each would take too long.
    if (facts.principal) return this.look(this.user(await this.somebody('one more', more)));
    const sent = { ...(await this.sent(name, holder, which)), ...more };
    const maker = this.maker(name, holder, sent);
    const owned = maker === holder ? sent : { ...ownedBy(this, facts, holder), ...sent };
    if (policyOf(facts, 'create') === null) throw new Unmade(`nobody can make a ${name}`);
    const { said, body } = await this.create(maker, name, owned);
    if (said !== 'ok') throw new Unmade(`${maker.name} cannot make a ${name}: ${said} (${JSON.stringify(owned)})`);
    const held = await this.look({ resource: name, id: String(body.id), values: body });
    await this.madeWith(held);
    return held;
  }

  /** The records that the service created with it, which not all callers see. */
  async madeWith({ resource, id }: HeldRights): Promise<readonly HeldRights[]> {
    const records: HeldRights[] = [];
    for (const [field, { make, to = '' }] of Object.entries(this.facts(resource).fields)) {
      if (make === undefined) continue;
      const sql = `SELECT "${field}_id" AS made FROM "${resource}" WHERE id = ?`;
      const [row] = await runSql(this.service.running.service, sql, id);
      const held = await this.look({ resource: to, id: String(row?.made), values: { id: row?.made } });
      records.push(held, ...(await this.madeWith(held)));
    }
    return records;
  }

  /** The API document that the service serves. */
  async document(): Promise<SentParameters> {
    this.described ??= this.service.ask(this.admin, 'GET', '/openapi.json');
    return (await this.described).body;
  }

  /** A record of the holder for others to refer to, created once. */
  home(name: string, holder: Person): Promise<HeldRights> {
    if (isPrincipal(this, name)) return Promise.resolve(this.user(holder));
    const key = `${name} ${holder.id}`;
    const home = this.homes.get(key) ?? this.make(name, holder);
    this.homes.set(key, home);
    return home;
  }

  /** A record that a reference can name, which nothing else names. */
  async target({ facts: field, role }: Parameter, holder: Person): Promise<HeldRights> {
    if (role === 'upload') return this.file(acceptedBy(this, field.types, field.kind)[0] ?? '', holder);
    const to = field.to ?? '';
    if (!isPrincipal(this, to)) return this.make(to, holder);
    return this.user(field.place ? holder : await this.somebody('spare'));
  }

  /** Uploads a file of that media type. */
  async file(type: string, holder: Person): Promise<HeldRights> {
    const { resource, upload } = this.uploads ?? missing('resource that stores uploads');
    const bytes = { part: upload?.part ?? '', name: `sample ${mark()}`, bytes: FILES[type] ?? missing(type) };
    const { said, body } = await this.create(holder, resource, await this.sent(resource, holder), bytes);
    if (said !== 'ok') throw new Unmade(`${holder.name} cannot upload a file: ${said}`);
    return this.look({ resource, id: String(body.id), values: body });
  }

  /** The resource that stores uploads, if there is one. */
  get uploads(): Facts | undefined {
    return this.project.resources.find(({ upload }) => upload !== undefined);
  }

  /** The current record as an administrator sees it, read from the engine if nobody can fetch it. */
  async look(held: HeldRights): Promise<HeldRights> {
    this.keep(held);
    const { resource, id } = held;
    if (policyOf(this.facts(resource), 'fetch') === null) {
      const { records } = this.service.running.service.engine;
      const stored = await records.get(resource, id, { user: null, admin: true });
      return stored.found ? this.keep({ ...held, values: JSON.parse(stored.text) }) : held;
    }
    const { said, body } = await this.service.ask(this.admin, 'GET', `/api/${resource}/${id}`);
    return said === 'ok' ? this.keep({ ...held, values: body }) : held;
  }

  private user({ id }: Person): HeldRights {
    return this.project.resources.flatMap(({ resource }) => this.record(resource, id) ?? [])[0] ?? missing('user');
  }

  private keep(held: HeldRights): HeldRights {
    const all = this.all.get(held.resource) ?? new Map<string, HeldRights>();
    this.all.set(held.resource, all.set(held.id, held));
    return held;
  }
}

function principalOf({ resources }: ProjectFacts): Facts {
  return resources.find((one) => one.principal) ?? missing('principal');
}

/** The values that a stored user needs, with a hash that no password has. */
function userInput({ fields }: Facts): SentParameters {
  const needed = Object.entries(fields).filter(([, { required, kind }]) => required && kind !== 'password');
  const values = needed.map(([name, field]) => [name, sample(field, mark())] as const);
  return { ...Object.fromEntries(values), password: `no-password-has-this-hash-${mark()}` };
}

export function missing(what: string): never {
  throw new Unmade(`there is no ${what}`);
}
