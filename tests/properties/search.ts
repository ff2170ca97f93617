// The search of all records (D44): which texts it covers, for whom, and how words are compared.
import { checkedByModule } from './modules.js';
import { type Parameter, parametersOf, policyOf } from './reading.js';
import { type HeldRights, holds } from './rights.js';
import { ANONYMOUS, mark, type Person, type SentParameters } from './service.js';
import { offers, type PropertyTrial, type Section, updating } from './trial.js';

/** The length of a value that holds a word to search for. */
const ROOM = 'Ärger w00000000zz'.length;

export const search: Section = async (trial) => {
  const { facts } = trial;
  const { search: fields = [] } = facts.whole ?? {};
  if (fields.length === 0) return withoutSearch(trial);
  if (!offers(trial, 'create') || facts.principal) return trial.untested('search', 'nobody can make what it finds');
  const texts = parametersOf(facts).filter((one) => isText(trial, one));
  for (const field of fields.filter((name) => !texts.some((one) => one.field === name)))
    trial.untested(`search in ${field}`, 'its values are too short, or not up to callers');
  for (const one of texts) await looksIn(trial, one, fields.includes(one.field));
  const [first] = texts.filter(({ field }) => fields.includes(field));
  if (first !== undefined) await compares(trial, first);
};

async function withoutSearch({ world, facts, findings }: PropertyTrial): Promise<void> {
  const names = ['q', 'query'].filter((name) => facts.fields[name]?.filter !== true);
  const sent = Object.fromEntries(names.map((name) => [name, 'x']));
  const { said, ignored } = await world.service.ask(world.admin, 'GET', `/api/${facts.resource}`, sent);
  findings.outcome('no search', `ok ${names}`, `${said} ${[...ignored].sort()}`);
}

function isText({ facts }: PropertyTrial, { name, role, facts: field }: Parameter): boolean {
  const fits = field.kind === 'text' && (field.max ?? 255) >= ROOM && field.set === undefined;
  return role === 'value' && fits && checkedByModule(facts, name) === null;
}

/** A new record with the text, in the list of all records if callers can set its condition. */
async function holding(
  { world, facts }: PropertyTrial,
  { name, facts: field }: Parameter,
  words: string,
): Promise<HeldRights> {
  const conditions = Object.entries(facts.whole?.where ?? {}).filter(([column, value]) => {
    const said = facts.fields[column];
    return value !== null && said?.read_only !== true && said?.from === undefined && said?.set === undefined;
  });
  const more = { ...Object.fromEntries(conditions), [name]: words.padEnd(field.min ?? 0, 'x') };
  return world.make(facts.resource, world.owner, more);
}

async function looksIn(trial: PropertyTrial, text: Parameter, isSearched: boolean): Promise<void> {
  const { world, facts, findings } = trial;
  const { by = 'admin', where = {} } = facts.whole ?? {};
  const word = `w${mark()}zz`;
  const held = await holding(trial, text, `Ärger ${word}`);
  const isOpen =
    Object.entries(where).every(([name, value]) => held.values[name] === value) &&
    holds(world, ANONYMOUS, 'read', held);
  for (const person of [world.owner, world.admin, ANONYMOUS]) {
    const isRefused = !person.admin && (by === 'admin' || (by === 'session' && person === ANONYMOUS));
    const code = person === ANONYMOUS ? 'login_required' : 'forbidden';
    const ids = isSearched && (person.admin || isOpen) ? held.id : '';
    const expected = isRefused ? `${code} ` : `ok ${ids}`;
    findings.outcome(
      `${text.name} searched by the ${person.name}`,
      expected,
      await searchAs(trial, person, { q: word }),
    );
  }
}

async function compares(trial: PropertyTrial, text: Parameter): Promise<void> {
  const { world, facts, findings } = trial;
  const word = `w${mark()}zz`;
  const held = await holding(trial, text, `Ärger ${word}`);
  const finds = async (sent: SentParameters, isFound: boolean) =>
    findings.outcome(
      `search for ${JSON.stringify(sent)}`,
      `ok ${isFound ? held.id : ''}`,
      await searchAs(trial, world.admin, sent),
    );
  await finds({ query: word.toUpperCase() }, true);
  await finds({ q: `${word} ARG` }, true);
  await finds({ q: word.slice(0, -1) }, true);
  await finds({ q: word.slice(1) }, false);
  await finds({ q: `${word} ${word.slice(1)}` }, false);
  await finds({ q: `${word} ar` }, false);
  if (policyOf(facts, 'update') === null) return;
  const other = `w${mark()}zz`;
  const { said } = await updating(trial, held, { [text.name]: `Ärger ${other}`.padEnd(text.facts.min ?? 0, 'x') });
  if (said !== 'ok') return trial.untested('search after a change', said);
  await finds({ q: word }, false);
  await finds({ q: other }, true);
}

/** The outcome of a search, and the ids of its results. */
async function searchAs({ world, facts }: PropertyTrial, person: Person, sent: SentParameters): Promise<string> {
  const { said, body } = await world.service.ask(person, 'GET', `/api/${facts.resource}`, sent);
  return `${said} ${((body.items ?? []) as readonly { readonly id: string }[]).map(({ id }) => id)}`;
}
