// Who may do and see what: the access clauses of the model as sentences. Decides nothing.

import type { Clause, View } from '../../../runtime/contract/definition.js';
import type { ResourceLookup } from '../../model/find.js';
import type { Resource } from '../../model/model.js';
import { nounsFor, sentences } from './fragment.js';

/** @returns one or more sentences on who may read and edit a record */
export function accessSentences({ access }: Resource, others: ResourceLookup): string {
  return sentences(
    `Readable by ${holdersText(access.read, others)}.`,
    `Editable by ${holdersText(access.edit, others)}.`,
    access.hidden ? 'Everyone else gets `not_found`.' : '',
  );
}

/** @returns who sees a property; empty if everyone who may read the record does */
export function viewSentence(view: View | null, { access }: Resource, others: ResourceLookup): string {
  if (view === null) return '';
  if (view === 'created') return 'Shown only in the response that creates the record.';
  const clauses = view === 'editor' ? EDITOR : access.rights[view];
  return `Visible to ${holdersText(clauses ?? [], others)}.`;
}

/** @returns the callers who have the right `by` of an action */
export function holders(by: string, { access }: Resource, others: ResourceLookup): string {
  if (by === 'admin') return 'administrators';
  return holdersText(by === 'editor' ? access.edit : (access.rights[by] ?? []), others);
}

/** By default, resources are called by their names. */
const NO_TITLES: ResourceLookup = { find: () => undefined, listsUnder: () => [], isHeld: () => false };

const EDITOR: readonly Clause[] = [{ right: 'edit' }];

/** The holders of a right in words; administrators if there are no clauses. */
export function holdersText(clauses: readonly Clause[], others: ResourceLookup = NO_TITLES): string {
  if (clauses.some((clause) => 'anyone' in clause)) return 'anyone';
  if (clauses.length === 0) return 'administrators';
  return `${clauses.map((clause) => inWords(clause, others)).join(', ')} and administrators`;
}

function inWords(clause: Clause, others: ResourceLookup): string {
  if ('anyone' in clause) return 'anyone';
  if ('self' in clause) return 'the user it describes';
  if ('member' in clause) return members(clause, others);
  if ('user' in clause) return `the user in ${clause.user}`;
  if ('through' in clause) {
    const { right = 'edit', to, through } = clause;
    return `anyone who may ${right} the ${nounsFor(others, to).one} in ${through}`;
  }
  if ('when' in clause) return `anyone while ${clause.when} is true`;
  return clause.right === 'edit' ? 'anyone who may edit the record' : `holders of ${clause.right}`;
}

function members(clause: Extract<Clause, { member: string }>, others: ResourceLookup): string {
  const shared = clause.own ? `this record as its ${clause.by}` : `the same ${clause.by}`;
  const place = clause.in === undefined ? shared : `${shared} in its ${clause.in}`;
  const conditions = Object.entries(clause.where ?? {}).map(([name, value]) => `${name} is ${value ?? 'not set'}`);
  const where = conditions.length === 0 ? '' : ` while ${conditions.join(' and ')}`;
  return `the ${clause.user} of each ${nounsFor(others, clause.member).one} with ${place}${where}`;
}
