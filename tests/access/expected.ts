// What must come out, by resource: from the hand-made table; for resources it does not know, from rules of the language.
// The rules do not read the access clauses of the descriptor, but for whether everyone or only editors may read.
import type { Model, Resource } from '../../generator/model/model.js';
import {
  access,
  administratorsSet,
  type ByRole,
  clauses,
  download,
  editorsOnly,
  neverShown,
  type Outcome,
  ownersAlone,
  type Role,
  shownOnce,
} from '../document/access.js';
import { parameters } from '../document/parameters.js';
import type { Operation, RecordName } from '../document/table.js';

export interface ExpectedOutcome {
  readonly operations: Readonly<Record<Operation, ByRole>>;
  readonly hidden: boolean;
  /** Properties for those whose `update` is ok (D15). */
  readonly editors: readonly string[];
  /** Properties that hang on a purchase. */
  readonly bought: readonly string[];
  readonly never: readonly string[];
  /** Shown in the answer of the create alone. */
  readonly once: readonly string[];
  /** Parameters that administrators alone may send. */
  readonly administrators: readonly string[];
  readonly references: Readonly<Record<string, ExpectedReference>>;
}

export interface ExpectedReference {
  readonly to: string;
  readonly need: string;
  /** What has another owner is `conflict`: on a create where something else says whose record it is, and on an update. */
  readonly oneOwner: 'always' | 'on update' | null;
  /** Refused to administrators too. */
  readonly ownersAlone: boolean;
}

/** The expectations of every resource of the model, by name. */
export function expectations(model: Model): (resource: string) => ExpectedOutcome {
  const byName = new Map(model.resources.map((resource) => [resource.name, resource]));
  const known = new Map<string, ExpectedOutcome>();
  const of = (name: string): ExpectedOutcome => {
    const resource = byName.get(name);
    if (resource === undefined) throw new Error(`no resource ${name}`);
    const found = known.get(name) ?? (name in access ? fromTable(name as RecordName) : fromRules(resource, of));
    known.set(name, found);
    return found;
  };
  return of;
}

function fromTable(name: RecordName): ExpectedOutcome {
  const references = Object.entries(parameters[name].references).map(([column, { to, need }]) => {
    // Parents are what takes the right to edit (D16); a folder is inside, its owner's like the record (DESIGN).
    const oneOwner = need === 'edit' ? 'on update' : to === 'folder' ? 'always' : null;
    return [column, { to, need, oneOwner, ownersAlone: ownersAlone.includes(`${name}.${column}`) }] as const;
  });
  return {
    operations: access[name],
    hidden: clauses[name].hidden === true,
    editors: editorsOnly[name],
    bought: name === 'gamedownload' ? download.properties : [],
    never: neverShown[name] ?? [],
    once: shownOnce[name] ?? [],
    administrators: administratorsSet[name] ?? [],
    references: Object.fromEntries(references),
  };
}

type RefusedOutcome = Exclude<Outcome, 'ok' | 'method'>;

/** A record is its owner's: what the place it stands in grants, it grants, and nothing to anybody else. */
function fromRules(resource: Resource, of: (name: string) => ExpectedOutcome): ExpectedOutcome {
  const place = resource.references.find((reference) => reference.place);
  const hidden = resource.access.hidden;
  const open = resource.access.read.some((clause) => 'anyone' in clause);
  const associates = place !== undefined && place.to !== 'user' && of(place.to).operations.update.associate === 'ok';
  const write = editing(associates, 'forbidden');
  const within = editing(associates, hidden ? 'not_found' : 'forbidden');
  const viewed = (view: string) => resource.properties.filter((one) => one.view === view).map(({ name }) => name);
  const references = resource.references
    .filter(({ column }) => resource.parameters.some(({ name }) => name === column))
    .map(({ column, to, need, place: places, inside }) => {
      const oneOwner = places ? 'on update' : inside ? 'always' : null;
      return [column, { to, need, oneOwner, ownersAlone: false } as const] as const;
    });
  const said = resource.operations;
  return {
    operations: {
      create: offered(said.create, write),
      // Without a session asked for, a hidden record is missing to the anonymous too.
      fetch: open ? everyone : hidden && said.fetch === 'anyone' ? { ...within, anonymous: 'not_found' } : within,
      update: offered(said.update, within),
      delete: offered(said.delete, within),
    },
    hidden,
    editors: viewed('editor'),
    bought: [],
    never: viewed('nobody'),
    once: viewed('created'),
    administrators: resource.parameters.filter(({ set }) => set === 'admin').map(({ name }) => name),
    references: Object.fromEntries(references),
  };
}

const everyone: ByRole = { anonymous: 'ok', stranger: 'ok', associate: 'ok', owner: 'ok', administrator: 'ok' };

function editing(associates: boolean, refusal: RefusedOutcome): ByRole {
  const associate = associates ? 'ok' : refusal;
  return { anonymous: 'login_required', stranger: refusal, associate, owner: 'ok', administrator: 'ok' };
}

function offered(policy: Resource['operations'][Operation], row: ByRole): ByRole {
  if (policy === null) return all('method');
  if (policy !== 'admin') return row;
  return { ...all('forbidden'), anonymous: 'login_required', administrator: 'ok' };
}

function all(outcome: Outcome): ByRole {
  const roles: readonly Role[] = ['anonymous', 'stranger', 'associate', 'owner', 'administrator'];
  return Object.fromEntries(roles.map((role) => [role, outcome])) as unknown as ByRole;
}
