// Lists: whose records are in them, for whom, in which order, and what they can be filtered and ordered by (D23).
import type { FieldFacts } from './facts.js';
import { columnOf, fieldsOf, isUpload, type ListFacts, listsOf, parametersOf, propertiesOf } from './reading.js';
import { type Held, holds, isPrincipal } from './rights.js';
import { ANONYMOUS, type Answer, type Person, type Sent } from './service.js';
import { permitted } from './sight.js';
import { offers, type Section, type Trial, text } from './trial.js';
import { taken } from './values.js';

export const lists: Section = async (trial) => {
  const { facts } = trial;
  if (!offers(trial, 'create')) return trial.untested('lists', 'nobody can make what they list');
  const all = listsOf(facts);
  for (const by of new Set(all.map((list) => list.by))) {
    const filled = await fill(trial, by);
    if (filled === null) continue;
    for (const list of all.filter((one) => one.by === by)) await look(trial, list, filled);
    const [plain] = all.filter((one) => one.by === by && Object.keys(one.where).length === 0);
    if (plain === undefined) continue;
    await filters(trial, plain, filled);
    await orders(trial, plain, filled);
  }
};

interface Filled {
  readonly parent: Held;
  readonly items: readonly Held[];
  readonly holder: Person;
}

/** A parent of its own with items that differ in what lists choose, filter and order by. */
async function fill(trial: Trial, by: string): Promise<Filled | null> {
  const { world, facts } = trial;
  const column = `${by}_id`;
  const to = facts.fields[by]?.to;
  const parameter = parametersOf(facts).find(({ name }) => name === column);
  const holder = isPrincipal(world, to) ? await world.somebody('holder') : world.owner;
  if (parameter === undefined && holder === world.owner) {
    trial.untested(`lists by ${column}`, 'callers do not set it');
    return null;
  }
  const parent =
    parameter === undefined || (isPrincipal(world, to) && facts.fields[by]?.place)
      ? world.record(to ?? '', holder.id)
      : await world.target(parameter, holder);
  if (parent === undefined) return null;
  const own =
    parameter === undefined || (isPrincipal(world, to) && facts.fields[by]?.place) ? {} : { [column]: parent.id };
  const items: Held[] = [];
  for (const more of differing(trial)) {
    items.push(await world.make(facts.resource, holder, { ...own, ...(await beside(trial, by, holder)), ...more }));
  }
  return { parent, items, holder };
}

/** What is unique together with the reference is another in each item. */
async function beside({ world, facts }: Trial, by: string, holder: Person): Promise<Sent> {
  const fields = new Set((facts.unique ?? []).filter((together) => together.includes(by)).flat());
  fields.delete(by);
  const others = parametersOf(facts).filter(({ field, role }) => fields.has(field) && role === 'reference');
  const targets = others.map(async (other) => [other.name, (await world.target(other, holder)).id] as const);
  return Object.fromEntries(await Promise.all(targets));
}

/** Parameters by which each item differs from the others. */
function differing({ facts }: Trial): readonly Sent[] {
  const used = new Set([
    ...listsOf(facts).flatMap(({ where }) => Object.keys(where)),
    ...Object.entries(fieldsOf(facts)).flatMap(([name, { filter }]) => (filter ? [name] : [])),
    ...(facts.order ?? []),
  ]);
  const fields = [...used].flatMap((name) => {
    const field = fieldsOf(facts)[name];
    const plain = field !== undefined && field.kind !== 'reference' && field.kind !== 'computed' && !isUpload(field);
    return plain && !field.read_only && field.from === undefined ? [[name, choices(field)] as const] : [];
  });
  const count = Math.max(3, ...fields.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[at % values.length]])),
  );
}

/** Not in their order. */
function choices(field: FieldFacts): readonly unknown[] {
  if (field.kind === 'text')
    return ['Meadow', 'Alder', 'Zinc', 'alder'].map((word) =>
      word.padEnd(field.min ?? 0, 'x').slice(0, field.max ?? 9),
    );
  if (field.kind === 'integer' && field.values === undefined) return [2, 0, 1].map((step) => (field.min ?? 5) + step);
  return taken(field);
}

async function look(trial: Trial, list: ListFacts, { parent, items, holder }: Filled): Promise<void> {
  const { world, facts, findings } = trial;
  const wanted = items.filter((item) =>
    Object.entries(list.where).every(([name, value]) => item.values[name] === value),
  );
  for (const person of [holder, world.stranger, world.admin, ANONYMOUS]) {
    if (facts.served_by !== undefined && person !== holder && !person.admin) {
      trial.untested(`list ${list.name} for others`, `${facts.served_by} refuses it by a rule of its own`);
      continue;
    }
    const told = permitted(world, person, 'read', parent);
    const ids =
      told === 'ok'
        ? inOrder(
            trial,
            wanted.filter((item) => holds(world, person, 'read', item)),
          )
        : [];
    const answer = await world.service.ask(person, 'GET', `/api/${list.parent}/${parent.id}/${list.name}`, {
      _items_per_page: 100,
    });
    findings.outcome(
      `${list.parent}'s ${list.name} for the ${person.name}`,
      `${told} ${ids.map(({ id }) => id)}`,
      `${answer.said} ${idsOf(answer)}`,
    );
  }
}

/** By the declared order, then by id. */
function inOrder({ facts }: Trial, items: readonly Held[]): readonly Held[] {
  const columns = [...(facts.order ?? []).map((field) => columnOf(facts, field)), 'id'];
  return [...items].sort((a, b) => {
    const column = columns.find((name) => a.values[name] !== b.values[name]) ?? 'id';
    return before(a.values[column], b.values[column]) ? -1 : 1;
  });
}

function before(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))) < 0;
}

async function filters(trial: Trial, list: ListFacts, { parent, items }: Filled): Promise<void> {
  const { world, facts, findings } = trial;
  const path = `/api/${list.parent}/${parent.id}/${list.name}`;
  const fields = Object.entries(fieldsOf(facts)).filter(
    ([, { kind }]) => kind !== 'computed' && kind !== 'password' && kind !== 'json',
  );
  for (const [field] of fields.filter(([, { filter }]) => filter)) {
    const column = columnOf(facts, field);
    for (const value of new Set(items.map(({ values }) => values[column]).filter((one) => one !== null))) {
      const wanted = inOrder(
        trial,
        items.filter(({ values }) => values[column] === value),
      ).map(({ id }) => id);
      const answer = await world.service.ask(world.admin, 'GET', path, { [column]: value, _items_per_page: 100 });
      findings.outcome(`${list.name} with ${column} ${text(value)}`, `ok ${wanted}`, `${answer.said} ${idsOf(answer)}`);
    }
  }
  const others = fields.filter(([, { filter }]) => !filter).map(([field]) => columnOf(facts, field));
  const nothing = Object.fromEntries(others.map((column) => [column, 'x']));
  const { said, ignored } = await world.service.ask(world.admin, 'GET', path, nothing);
  findings.outcome(`${list.name}: no filters`, `ok ${[...others].sort()}`, `${said} ${[...ignored].sort()}`);
}

/** Whatever everybody sees and a record holds itself can be ordered by. */
async function orders(trial: Trial, list: ListFacts, { parent, items }: Filled): Promise<void> {
  const { world, facts, findings } = trial;
  for (const { name, field, facts: words, role, view } of propertiesOf(facts)) {
    if (role === 'brief' || name !== columnOf(facts, field)) continue;
    const can = role === 'value' && view === 'anyone' && words.kind !== 'computed' && words.kind !== 'json';
    const path = `/api/${list.parent}/${parent.id}/${list.name}`;
    const answer = await world.service.ask(world.admin, 'GET', path, {
      _order_by: name,
      _sort_order: 'desc',
      _items_per_page: 100,
    });
    findings.outcome(`${list.name} ordered by ${name}`, can ? 'ok' : '_order_by invalid', answer.said);
    if (can)
      findings.given(
        `all of ${list.name} ordered by ${name}`,
        idsOf(answer).length === items.length,
        String(idsOf(answer).length),
      );
  }
}

function idsOf({ body }: Answer): readonly string[] {
  return ((body.items ?? []) as readonly { readonly id: string }[]).map(({ id }) => id);
}

/** What counts a list counts what is in it. */
export const counts: Section = async (trial) => {
  const { world, facts, findings } = trial;
  for (const [name, { count }] of Object.entries(facts.fields)) {
    if (count === undefined || !offers(trial, 'fetch')) continue;
    const held = await world.make(facts.resource, world.owner);
    const found = world.project.resources.flatMap((child) =>
      listsOf(child)
        .filter((one) => one.parent === facts.resource && one.name === count)
        .map(({ by }) => ({ child, by })),
    )[0];
    if (found === undefined) continue;
    for (const many of [1, 2]) {
      await world.make(found.child.resource, world.owner, { [`${found.by}_id`]: held.id });
      findings.outcome(
        `${facts.resource}.${name} with ${many} of them`,
        String(many),
        text((await world.look(held)).values[name]),
      );
    }
  }
};
