// The context of the verbs for each resource: its definition, its hand-written functions, and the statements composed for it.
import type { ActionFunction, Actions, Behaviour, Behaviours } from '../../contract/behaviour.js';
import type { AnyDefinition } from '../../contract/definition.js';
import type { Random } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import type { Quota } from '../quota.js';
import type { WireFormats } from '../records.js';
import { type Composer, definitionOf } from '../sql/access.js';
import { type PlacingColumn, placingColumn } from '../sql/owner.js';
import { type CreatingReference, creatingReferences } from '../sql/required-targets.js';
import { type Sources, secretGenerator } from '../sql/write-plan.js';
import type { PublishWithin } from '../unit.js';
import { deletesUsers, findAdministrator } from './administrators.js';
import { type CopiedColumn, copiedColumns } from './carry-out.js';
import { type CopyStatements, copyStatements } from './copy.js';
import { existingStatement } from './create.js';
import { type NeighbourStatements, neighbourStatements } from './neighbours.js';
import { type ReferenceStatements, referenceStatements } from './reference-failures.js';

/** One resource, and everything on which a write of its records depends. */
export interface Resource extends Sources {
  readonly definition: AnyDefinition;
  readonly composer: Composer;
  readonly behaviour: Behaviour;
  readonly actions: Readonly<Record<string, ActionFunction>>;
  /** Null: its records are not placed with another record. */
  readonly place: PlacingColumn | null;
  readonly creatingReferences: readonly CreatingReference[];
  /** The columns whose values are copied from other records when a row is inserted. */
  readonly copies: readonly CopiedColumn[];
  readonly references: ReferenceStatements;
  /** Statements that read other records for hand-written functions. */
  readonly neighbours: NeighbourStatements;
  /** Finds an existing record for a create; null: a create always makes a new record. */
  readonly existing: string | null;
  /** Whether users are deleted with its records. */
  readonly deletesUsers: boolean;
  readonly administrators: AdministratorStatements;
  /** Statements for copies that begin with one of its records. */
  readonly copying: CopyStatements;
  readonly quota: Pick<Quota, 'failure'> | undefined;
  readonly at: Resources;
}

/** The resource of that name; throws an Error if there is none. */
export type Resources = (name: string) => Resource;

interface AdministratorStatements {
  /** Null: only one transaction writes at a time anyway. */
  readonly lock: string | null;
  /** Null: users of this project cannot be administrators. */
  readonly find: string | null;
}

/** The options that the records of both engines share. */
export interface RecordsOptions extends Pick<Sources, 'ids'> {
  readonly random: Random;
  readonly definitions: readonly AnyDefinition[];
  readonly profile: WireFormats;
  readonly behaviours?: Behaviours;
  readonly actions?: Actions;
  /** Publishes the events of changes, within the transaction. */
  readonly publish?: PublishWithin;
  readonly quota?: Pick<Quota, 'failure'>;
}

/** The options that resources need. */
export interface ResourceOptions extends Omit<RecordsOptions, 'definitions' | 'profile' | 'publish'> {
  readonly composer: Composer;
}

/** Each resource is composed at its first use: composing all would take some milliseconds of every start. */
export function createResources(options: ResourceOptions): Resources {
  const { composer, ids, random, behaviours = {}, actions = {}, quota } = options;
  const { definitions, dialect } = composer;
  const newSecret = secretGenerator(random);
  const administrators = { lock: dialect.lockOut('punchboard administrators'), find: findAdministrator(definitions) };
  const at: Resources = memoize((name: string): Resource => {
    const definition = definitionOf(definitions, name);
    return {
      ...{ definition, composer, ids, newSecret, administrators, quota, at },
      behaviour: behaviours[name] ?? {},
      actions: actions[name] ?? {},
      place: placingColumn(definitions, definition),
      creatingReferences: creatingReferences(definition),
      copies: copiedColumns(composer, definition),
      references: referenceStatements(composer, definition),
      neighbours: neighbourStatements(composer, definition),
      existing: existingStatement(composer, definition),
      deletesUsers: deletesUsers(definitions, definition),
      copying: copyStatements(composer, definition),
    };
  });
  return at;
}
