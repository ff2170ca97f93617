// The expected outcomes for each resource: from the hand-written table or, for resources that it lacks, from rules of the
// language. The rules read nothing of a descriptor's access clauses except whether everyone or only editors may read.
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
  /** Properties that depend on a purchase. */
  readonly bought: readonly string[];
  readonly never: readonly string[];
  /** Shown only in the answer of the create. */
  readonly once: readonly string[];
  /** Parameters that only administrators may send. */
  readonly administrators: readonly string[];
  readonly references: Readonly<Record<string, ExpectedReference>>;
}

export interface ExpectedReference {
  readonly to: string;
  readonly need: string;
  /** When a target of another owner is `conflict`: on updates, or also on creates, where another reference decides the owner. */
  readonly oneOwner: 'always' | 'on update' | null;
  /** Whether administrators are refused too. */
  readonly ownersAlone: boolean;
}

/** The expectations of every resource of the model, by name. */
export function expectations(model: Model): (resource: string) => ExpectedOutcome {
  const byName = new Map(model.resources.map((resource) => [resource.name, resource]));
  const known = new Map<string, ExpectedOutcome>();
  const expectedFor = (name: string): ExpectedOutcome => {
    const resource = byName.get(name);
    if (resource === undefined) throw new Error(`no resource ${name}`);
    const expectation =
      known.get(name) ?? (name in access ? fromTable(name as RecordName) : fromRules(resource, expectedFor));
    known.set(name, expectation);
    return expectation;
  };
  return expectedFor;
}

function fromTable(name: RecordName): ExpectedOutcome {
  const references = Object.entries(parameters[name].references).map(([column, { to, need }]) => {
    // Naming a parent requires the right to edit it (D16); a folder has to belong to the owner of the record.
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

/** A record grants its owner, and those whom its place lets edit, every operation, and others nothing. */
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
  const policies = resource.operations;
  return {
    operations: {
      create: offered(policies.create, write),
      // If no session is required, a hidden record is missing for anonymous callers too.
      fetch: open ? everyone : hidden && policies.fetch === 'anyone' ? { ...within, anonymous: 'not_found' } : within,
      update: offered(policies.update, within),
      delete: offered(policies.delete, within),
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
