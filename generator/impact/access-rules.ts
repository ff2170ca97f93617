// Compares who may do what before and after; clauses are compared as sets.

import type { Clause } from '../../runtime/definition.js';
import { people } from '../emit/openapi/rights.js';
import type { Model, Resource } from '../model/model.js';
import { difference } from './parameter-rules.js';
import type { Difference } from './report.js';
import type { Side } from './sides.js';

/** The clauses that grant a right, or that the `by` of an action names; an empty list means administrators only. */
export function clausesOf({ access }: Resource, right: string): readonly Clause[] {
  if (right === 'admin' || right === 'created' || right === 'nobody') return [];
  if (right === 'read') return access.read;
  return right === 'edit' || right === 'editor' ? access.edit : (access.rights[right] ?? []);
}

/** Fewer people is breaking, more is exposing. Columns and resources are identified by their numbers: a rename changes nobody's right. */
export function rightChange(
  from: Side & { readonly clauses: readonly Clause[] },
  to: Side & { readonly clauses: readonly Clause[] },
): readonly Difference[] {
  const [old, now] = [keysOf(from), keysOf(to)];
  const lost = [...old].filter((key) => !now.has(key));
  const gained = [...now].filter((key) => !old.has(key));
  if (lost.length === 0 && gained.length === 0) return [];
  const open = now.has(ANYONE);
  // While `anyone` stays, nobody loses access.
  if (old.has(ANYONE) && open) return [];
  const message = `${people(from.clauses)} -> ${people(to.clauses)}`;
  const isLost = lost.length > 0 && !open;
  const change = difference(isLost, message, texts(from.clauses), texts(to.clauses));
  if (gained.length === 0) return [change];
  const exposing = { ...change, breaking: false, exposing: true };
  // Two findings, each with a fingerprint of its own: who accepts that some lose the right has not accepted that others get it.
  return isLost ? [change, { ...exposing, from: null }] : [exposing];
}

/** By names, since another ledger would give the same edit other numbers. */
function texts(clauses: readonly Clause[]): readonly string[] {
  return clauses.map((clause) => JSON.stringify(clause)).sort();
}

const ANYONE = JSON.stringify({ anyone: true });

function keysOf({ model, resource, clauses }: Side & { readonly clauses: readonly Clause[] }): ReadonlySet<string> {
  return new Set(clauses.map((clause) => JSON.stringify(numbered(clause, { model, resource }))));
}

/** The clause with numbers in place of names that a rename may change. */
function numbered(clause: Clause, { model, resource }: { model: Model; resource: Resource }): unknown {
  const column = (name: string): string | number => resource.columns.find((one) => one.name === name)?.number ?? name;
  const table = (name: string): string | number => model.resources.find((one) => one.name === name)?.number ?? name;
  if ('user' in clause && !('member' in clause)) return { user: column(clause.user) };
  if ('through' in clause) return { through: column(clause.through), to: table(clause.to) };
  if ('when' in clause) return { when: column(clause.when) };
  if ('member' in clause) return { ...clause, member: table(clause.member), by: column(clause.by) };
  return clause;
}
