// Lists: which records they show to whom, in which order, and by what they can be filtered and ordered (D23).
import type { Facts } from './facts.js';
import { type FilledList, fill } from './list-items.js';
import { listed } from './made.js';
import {
  type Aggregate,
  aggregateOf,
  columnOf,
  fieldsOf,
  type ListFacts,
  listsOf,
  onwardListsOf,
  parametersOf,
  propertiesOf,
} from './reading.js';
import { type HeldRights, holds } from './rights.js';
import { ANONYMOUS, type Answer, type Person } from './service.js';
import { permitted } from './sight.js';
import { isAlone } from './supply.js';
import { offers, type PropertyTrial, type Section, text } from './trial.js';
import { shown } from './values.js';

export const lists: Section = async (trial) => {
  const { facts } = trial;
  if (!offers(trial, 'create')) return trial.untested('lists', 'nobody can make what they list');
  const all = listsOf(facts);
  const further = onwardListsOf(facts);
  for (const by of new Set([...all, ...further].map((list) => list.by))) {
    const filled = await fill(trial, by);
    if (filled === null) continue;
    for (const list of further.filter((one) => one.by === by)) await lookOnward(trial, list, filled);
    for (const list of all.filter((one) => one.by === by)) await look(trial, list, filled);
    const [plain] = all.filter((one) => one.by === by && Object.keys(one.where).length === 0);
    if (plain === undefined) continue;
    await filters(trial, plain, filled);
    await orders(trial, plain, filled);
  }
};

async function look(trial: PropertyTrial, list: ListFacts, { parent, items, holder }: FilledList): Promise<void> {
  const { world, facts, findings } = trial;
  const expected = items.filter((item) => meets(facts, list.where, item));
  for (const person of [holder, world.stranger, world.admin, ANONYMOUS]) {
    if (facts.served_by !== undefined && person !== holder && !person.admin) {
      trial.untested(`list ${list.name} for others`, `${facts.served_by} refuses it by a rule of its own`);
      continue;
    }
    const permission = permitted(world, person, 'read', parent);
    const ids =
      permission === 'ok'
        ? inOrder(
            trial,
            expected.filter((item) => holds(world, person, 'read', item)),
          )
        : [];
    const answer = await world.service.ask(person, 'GET', `/api/${list.parent}/${parent.id}/${list.name}`, {
      _items_per_page: 100,
    });
    findings.outcome(
      `${list.parent}'s ${list.name} for the ${person.name}`,
      `${permission} ${ids.map(({ id }) => id)}`,
      `${answer.said} ${idsOf(answer)}`,
    );
  }
}

/** Whether a record shows the values of a condition, in the form of their kinds. */
export function meets(facts: Facts, where: ListFacts['where'], { values }: HeldRights): boolean {
  const fields = fieldsOf(facts);
  return Object.entries(where).every(([name, value]) => {
    const field = fields[name];
    return values[name] === (field === undefined ? value : shown(field, value));
  });
}

/** The record that the target refers to has a list with these items too, among others, in order. */
async function lookOnward(
  trial: PropertyTrial,
  { name, by, where, through }: ReturnType<typeof onwardListsOf>[number],
  { parent, items }: FilledList,
): Promise<void> {
  const { world, facts, findings } = trial;
  const target = world.project.resources.find(({ resource }) => resource === facts.fields[by]?.to);
  const path = `/api/${target?.fields[through]?.to}/${parent.values[`${through}_id`]}/${name}`;
  const expected = items.filter((item) => meets(facts, where, item));
  const { said, ids } = await walk(trial, world.admin, path, items);
  findings.outcome(
    `${name} through ${through}`,
    `ok ${inOrder(trial, expected).map(({ id }) => id)}`,
    `${said} ${ids}`,
  );
}

/** By the declared order, then by id. */
function inOrder({ facts }: PropertyTrial, items: readonly HeldRights[]): readonly HeldRights[] {
  const terms = [...(facts.order ?? []), 'id'].map((term) => ({
    column: columnOf(facts, term.replace(/^-/, '')),
    falls: term.startsWith('-'),
  }));
  return [...items].sort((a, b) => {
    const { column, falls } = terms.find(({ column: name }) => a.values[name] !== b.values[name]) ?? terms[0] ?? ID;
    return before(a.values[column], b.values[column]) === falls ? 1 : -1;
  });
}

const ID = { column: 'id', falls: false };

function before(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return other !== null;
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))) < 0;
}

async function filters(trial: PropertyTrial, list: ListFacts, { parent, items }: FilledList): Promise<void> {
  const { world, facts, findings } = trial;
  const path = `/api/${list.parent}/${parent.id}/${list.name}`;
  const fields = Object.entries(fieldsOf(facts)).filter(
    ([, { kind }]) => kind !== 'computed' && kind !== 'password' && kind !== 'json',
  );
  for (const [field] of fields.filter(([, { filter }]) => filter)) {
    const column = columnOf(facts, field);
    for (const value of new Set(items.map(({ values }) => values[column]).filter((one) => one !== null))) {
      const expected = inOrder(
        trial,
        items.filter(({ values }) => values[column] === value),
      ).map(({ id }) => id);
      const answer = await world.service.ask(world.admin, 'GET', path, { [column]: value, _items_per_page: 100 });
      findings.outcome(
        `${list.name} with ${column} ${text(value)}`,
        `ok ${expected}`,
        `${answer.said} ${idsOf(answer)}`,
      );
    }
  }
  for (const [field] of fields.filter(([, { filter }]) => filter === 'range'))
    await ranges(trial, path, { field, items });
  const others = fields.filter(([, { filter }]) => !filter).map(([field]) => columnOf(facts, field));
  const nothing = Object.fromEntries(others.map((column) => [column, 'x']));
  const { said, ignored } = await world.service.ask(world.admin, 'GET', path, nothing);
  findings.outcome(`${list.name}: no filters`, `ok ${[...others].sort()}`, `${said} ${[...ignored].sort()}`);
}

interface RangedItems {
  readonly field: string;
  readonly items: readonly HeldRights[];
}

/** Records whose value is at least, above, at most or below that of an item; those without a value are in no range. */
async function ranges(trial: PropertyTrial, path: string, { field, items }: RangedItems): Promise<void> {
  const { world, facts, findings } = trial;
  const column = columnOf(facts, field);
  const columnValue = ({ values }: HeldRights): unknown => values[column];
  const filled = items.filter((item) => columnValue(item) !== null);
  for (const value of new Set(filled.map(columnValue))) {
    const inRange: Readonly<Record<string, (item: HeldRights) => boolean>> = {
      gte: (item) => !before(columnValue(item), value),
      gt: (item) => before(value, columnValue(item)),
      lte: (item) => !before(value, columnValue(item)),
      lt: (item) => before(columnValue(item), value),
    };
    for (const [bound, holds] of Object.entries(inRange)) {
      const expected = inOrder(trial, filled.filter(holds)).map(({ id }) => id);
      const query = { [`${column}[${bound}]`]: value, _items_per_page: 100 };
      const answer = await world.service.ask(world.admin, 'GET', path, query);
      findings.outcome(
        `${path} with ${column} ${bound} ${text(value)}`,
        `ok ${expected}`,
        `${answer.said} ${idsOf(answer)}`,
      );
    }
  }
}

/** Lists can be ordered by all that everybody sees and the record itself holds. */
async function orders(trial: PropertyTrial, list: ListFacts, { parent, items }: FilledList): Promise<void> {
  const { world, facts, findings } = trial;
  for (const { name, field, facts: words, role, view } of propertiesOf(facts)) {
    if (role === 'brief' || name !== columnOf(facts, field)) continue;
    const can = role === 'value' && view === 'anyone' && !['computed', 'json', 'decimal'].includes(words.kind);
    const path = `/api/${list.parent}/${parent.id}/${list.name}`;
    const answer = await world.service.ask(world.admin, 'GET', path, {
      _order_by: name,
      _sort_order: 'desc',
      _items_per_page: 100,
    });
    findings.outcome(`${list.name} ordered by ${name}`, can ? 'ok' : '_order_by invalid', answer.said);
    if (!can) continue;
    const ids = idsOf(answer);
    findings.outcome(`how many of ${list.name} ordered by ${name}`, String(items.length), String(ids.length));
    const values = ids.map((id) => items.find((item) => item.id === id)?.values[name] ?? null);
    findings.given(`${list.name} by ${name}, falling`, isFalling(values), text(values));
    const both = await world.service.ask(world.admin, 'GET', path, { _order_by: `-${name},-id`, _items_per_page: 100 });
    findings.outcome(`${list.name} by -${name},-id`, `ok ${ids}`, `${both.said} ${idsOf(both)}`);
  }
}

/** Records without a value may be anywhere. */
function isFalling(values: readonly unknown[]): boolean {
  const known = values.filter((value) => value !== null);
  return known.every((value, at) => at === 0 || !before(known[at - 1], value));
}

function idsOf({ body }: Answer): readonly string[] {
  return ((body.items ?? []) as readonly { readonly id: string }[]).map(({ id }) => id);
}

/** The list of all records: who may call it, and which of two new records it shows. */
export const whole: Section = async (trial) => {
  const { world, facts, findings } = trial;
  if (!offers(trial, 'create')) return trial.untested('the list of all', 'nobody can make what it lists');
  const { by = 'admin', where = {} } = facts.whole ?? {};
  const items = [await world.make(facts.resource, world.owner), await world.make(facts.resource, world.owner)];
  for (const person of [world.owner, world.admin, ANONYMOUS]) {
    const isRefused = !person.admin && (by === 'admin' || (by === 'session' && person === ANONYMOUS));
    const code = person === ANONYMOUS ? 'login_required' : 'forbidden';
    const { said, ids } = await walk(trial, person, `/api/${facts.resource}`, items);
    const open = items.filter(
      (item) => person.admin || (meets(facts, where, item) && holds(world, ANONYMOUS, 'read', item)),
    );
    const expected = isRefused ? [] : open.map(({ id }) => id);
    const order = (some: readonly string[]) => [...some].sort().join();
    findings.outcome(
      `all ${facts.plural} for the ${person.name}`,
      `${isRefused ? code : 'ok'} ${order(expected)}`,
      `${said} ${order(ids)}`,
    );
  }
};

/** Walks all pages of a list. Returns which of `items` are in it, in its order. */
async function walk({ world }: PropertyTrial, person: Person, path: string, items: readonly HeldRights[]) {
  const known = new Set(items.map(({ id }) => id));
  const ids: string[] = [];
  for (let cursor: string | null | undefined; ; ) {
    const page = { _items_per_page: 100, ...(cursor === undefined ? {} : { _cursor: cursor }) };
    const answer = await world.service.ask(person, 'GET', path, page);
    ids.push(...idsOf(answer).filter((id) => known.has(id)));
    cursor = (answer.body.paging as { readonly next_cursor: string | null } | undefined)?.next_cursor ?? null;
    if (cursor === null) return { said: answer.said, ids };
  }
}

/** Counts, sums and greatest values agree with the records that are in the list. */
export const counts: Section = async (trial) => {
  const { world, facts, findings } = trial;
  for (const [name, keys] of Object.entries(facts.fields)) {
    const aggregate = aggregateOf(keys);
    if (aggregate === null || !offers(trial, 'fetch')) continue;
    const holder = facts.principal ? await world.somebody('counted') : world.owner;
    const held = await (facts.principal ? world.home(facts.resource, holder) : world.make(facts.resource, holder));
    const listing = listed(world, facts.resource, aggregate.list);
    if (listing === undefined) continue;
    const { child, by, where } = listing;
    const isOnlyOne = isAlone(world, child, by);
    if (isOnlyOne) trial.untested(`${name} of two`, 'only one can be counted');
    const sendable = parametersOf(child).filter((one) => one.field in where && one.role === 'value');
    const meeting = Object.fromEntries(sendable.map((one) => [one.name, where[one.field]]));
    for (const more of isOnlyOne ? [meeting] : [meeting, {}, meeting]) {
      await world.make(child.resource, holder, { ...more, [`${by}_id`]: held.id }, 'all');
      const items = world.records(child.resource).filter(({ values }) => values[`${by}_id`] === held.id);
      const expected = aggregated(
        aggregate,
        items.filter((item) => meets(child, where, item)),
      );
      const { values } = await world.look(held);
      findings.outcome(`${facts.resource}.${name} of ${items.length}`, text(expected), text(values[name]));
    }
  }
};

/** The number of the items, the sum of their values, or the greatest of these. */
function aggregated({ key, field }: Aggregate, items: readonly HeldRights[]): unknown {
  if (key === 'count') return items.length;
  const values = items.map((item) => item.values[field ?? '']).filter((value) => value !== null);
  if (key === 'sum') return values.reduce<number>((sum, value) => sum + Number(value), 0);
  return values.reduce<unknown>((top, value) => (top === null || before(top, value) ? value : top), null);
}
