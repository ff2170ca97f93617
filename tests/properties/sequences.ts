// Random sequences of creates, updates, fetches, lists and deletions, against a model that is a map: fast-check's commands.
import fc from 'fast-check';
import { count } from '../support/counts.js';
import { namesRecords } from './boundaries.js';
import { checkedByModule } from './modules.js';
import { listsOf, type Parameter, parametersOf, propertiesOf } from './reading.js';
import { type HeldRights, isPrincipal } from './rights.js';
import type { SentParameters } from './service.js';
import { isAlone, isScarce } from './supply.js';
import { creating, offers, type PropertyTrial, pathOf, type Section, text, updating, whoMay } from './trial.js';
import { fallback, isLiteral, shown, taken } from './values.js';

/** The expected values of the live records by id, and the ids of the deleted ones. */
interface Model {
  readonly live: Map<string, SentParameters>;
  readonly gone: Set<string>;
}
type Command = fc.AsyncCommand<Model, PropertyTrial>;

const RUNS = () => count(2, 40);
const LENGTH = () => count(25, 60);

export const sequences: Section = async (trial) => {
  const { facts, findings, seed } = trial;
  if (!offers(trial, 'create') || facts.upload !== undefined || facts.principal) {
    return trial.untested(
      'sequences',
      facts.principal ? 'each step would hash a password' : 'what is uploaded has tests of its own',
    );
  }
  if (facts.lifecycle?.some((step) => step.startsWith('before')))
    return trial.untested('sequences', 'hand-written code changes what is stored');
  if (isScarce(trial.world, facts)) return trial.untested('sequences', 'too few records can differ in what is unique');
  const home = await parentOf(trial);
  const commands = fc.commands(arbitraries(trial, home), { maxCommands: LENGTH(), size: 'max' });
  await fc
    .assert(
      fc.asyncProperty(commands, async (steps) => {
        const before = findings.differences.length;
        await fc.asyncModelRun(
          () => ({ model: { live: new Map<string, SentParameters>(), gone: new Set<string>() }, real: trial }),
          steps,
        );
        if (findings.differences.length > before)
          throw new Error(`differs: ${text(findings.differences.slice(before))}`);
      }),
      { seed, numRuns: RUNS(), endOnFailure: true },
    )
    .catch((error: Error) => {
      if (!findings.differences.some(({ probe }) => error.message.includes(probe))) throw error;
    });
};

interface Home {
  readonly parent: HeldRights;
  readonly column: string;
  readonly list: string;
}

/** The list that shows the records of one sequence, if there is one. */
async function parentOf({ world, facts }: PropertyTrial): Promise<Home | null> {
  const list = listsOf(facts).find(
    ({ by, where, parent }) =>
      facts.fields[by]?.place &&
      !isAlone(world, facts, by) &&
      !isPrincipal(world, parent) &&
      Object.keys(where).length === 0,
  );
  if (list === undefined) return null;
  return { parent: await world.home(list.parent, world.owner), column: `${list.by}_id`, list: list.name };
}

/** Parameters whose values follow from the descriptor alone. */
function free({ world, facts }: PropertyTrial): readonly Parameter[] {
  return parametersOf(facts).filter(
    ({ name, field, role, facts: words }) =>
      role === 'value' &&
      words.set === undefined &&
      !isAlone(world, facts, field) &&
      checkedByModule(facts, name) === null &&
      !namesRecords(words),
  );
}

function arbitraries(trial: PropertyTrial, home: Home | null): fc.Arbitrary<Command>[] {
  const values = free(trial).map(({ name, facts }) => [name, fc.constantFrom(...taken(facts))] as const);
  const some = fc.record(Object.fromEntries(values), { requiredKeys: [] }) as fc.Arbitrary<SentParameters>;
  const which = fc.nat({ max: 1000 });
  return [
    some.map((sent) => new Create(sent)),
    ...(offers(trial, 'update') ? [fc.tuple(which, some).map(([at, sent]) => new Update(at, sent))] : []),
    ...(offers(trial, 'fetch') ? [which.map((at) => new Fetch(at))] : []),
    ...(offers(trial, 'delete') ? [which.map((at) => new Delete(at))] : []),
    ...(home === null ? [] : [fc.constant(new List(home))]),
  ];
}

class Create implements Command {
  constructor(private readonly sent: SentParameters) {}
  check = () => true;
  async run(model: Model, real: PropertyTrial): Promise<void> {
    const { said, body } = await creating(real, this.sent);
    real.findings.outcome(`${this}`, 'ok', said);
    if (said !== 'ok') return;
    model.live.set(String(body.id), expectedOf(real, this.sent, {}));
    compare(real, `${this}`, { values: body, expected: expectedOf(real, this.sent, {}) });
  }
  toString = () => `create ${text(this.sent).slice(0, 200)}`;
}

class Update implements Command {
  constructor(
    private readonly at: number,
    private readonly sent: SentParameters,
  ) {}
  check = ({ live }: Readonly<Model>) => live.size > 0;
  async run({ live }: Model, real: PropertyTrial): Promise<void> {
    const [id, before] = pick(live, this.at);
    const held = await real.world.look({ resource: real.facts.resource, id, values: {} });
    const { said, body } = await updating(real, held, this.sent);
    real.findings.outcome(`${this}`, 'ok', said);
    const expected = expectedOf(real, this.sent, before);
    live.set(id, expected);
    if (said === 'ok') compare(real, `${this}`, { values: body, expected });
  }
  toString = () => `update ${text(this.sent).slice(0, 200)}`;
}

class Fetch implements Command {
  constructor(private readonly at: number) {}
  check = ({ live }: Readonly<Model>) => live.size > 0;
  async run({ live, gone }: Model, real: PropertyTrial): Promise<void> {
    const [id, expected] = pick(live, this.at);
    const { values } = await real.world.look({ resource: real.facts.resource, id, values: {} });
    compare(real, 'fetch', { values, expected });
    for (const one of [...gone].slice(-1)) {
      const { said } = await real.world.service.ask(real.world.admin, 'GET', `/api/${real.facts.resource}/${one}`);
      real.findings.outcome('fetch of what is gone', 'not_found', said);
    }
  }
  toString = () => 'fetch';
}

class Delete implements Command {
  constructor(private readonly at: number) {}
  check = ({ live }: Readonly<Model>) => live.size > 0;
  async run({ live, gone }: Model, real: PropertyTrial): Promise<void> {
    const [id] = pick(live, this.at);
    const held = await real.world.look({ resource: real.facts.resource, id, values: {} });
    const { said } = await real.world.service.ask(whoMay(real, 'delete', held), 'DELETE', pathOf(held));
    real.findings.outcome('delete', 'ok', said);
    live.delete(id);
    gone.add(id);
  }
  toString = () => 'delete';
}

class List implements Command {
  constructor(private readonly home: Home) {}
  check = () => true;
  async run({ live, gone }: Model, real: PropertyTrial): Promise<void> {
    const { parent, list } = this.home;
    const path = `/api/${parent.resource}/${parent.id}/${list}`;
    const { said, body } = await real.world.service.ask(real.world.admin, 'GET', path, {
      _items_per_page: 100,
      _order_by: 'date_created',
      _sort_order: 'desc',
    });
    real.findings.outcome('list', 'ok', said);
    const ids = new Set(((body.items ?? []) as readonly { readonly id: string }[]).map(({ id }) => id));
    for (const id of live.keys()) real.findings.given('what lives is listed', ids.has(id), id);
    for (const id of gone) real.findings.kept('what is gone is not listed', !ids.has(id), id);
  }
  toString = () => 'list';
}

function pick(live: ReadonlyMap<string, SentParameters>, at: number): readonly [string, SentParameters] {
  return [...live][at % live.size] as readonly [string, SentParameters];
}

/** What a record shows for the free parameters after an update. */
function expectedOf(trial: PropertyTrial, sent: SentParameters, before: SentParameters): SentParameters {
  const values = free(trial).map(({ name, facts, required }) => {
    if (name in sent) return [name, shown(facts, sent[name])] as const;
    return [name, name in before ? before[name] : required || !isLiteral(facts) ? undefined : fallback(facts)] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function compare(
  trial: PropertyTrial,
  probe: string,
  { values, expected }: { readonly values: SentParameters; readonly expected: SentParameters },
): void {
  const known = new Set(propertiesOf(trial.facts).map(({ name }) => name));
  for (const [name, value] of Object.entries(expected)) {
    if (known.has(name) && name in values)
      trial.findings.outcome(`${name} after ${probe}`, text(value), text(values[name]));
  }
}
