// Whose event it is: the way up from the record it is of, along the references that place it (DESIGN, D37).

import { once } from '../once.js';
import { quoted } from '../schema/ddl.js';
import { definitionOf } from '../store/sqlite/access.js';
import { placeReference } from '../store/sqlite/owner.js';
import type { OutboxParts } from './parts.js';

interface Step {
  readonly resource: string;
  readonly id: string;
}

export interface EventOwner {
  /** Id of the record of the event's owner class. */
  readonly id: string;
  /** Id of the user whose it is. */
  readonly user: string;
}

/**
 * @param owner resource of the event's owner class
 * @returns undefined when `of`, or something above it, does not exist. Throws an Error where no `owner` is above it.
 */
export type FindOwner = (owner: string, of: Step) => EventOwner | undefined;

export function createFindOwner({ db, definitions }: Pick<OutboxParts, 'db' | 'definitions'>): FindOwner {
  const statement = once((sql: string) => db.prepare<[string], string>(sql).pluck());
  const up = ({ resource, id }: Step): Step | undefined => {
    const place = placeReference(definitionOf(definitions, resource));
    if (place === undefined) throw new Error(`nothing is above a ${resource}, and an event of it has no owner`);
    const above = statement(`SELECT ${quoted(place.column)} FROM ${quoted(resource)} WHERE "id" = ?`).get(id);
    return above === undefined ? undefined : { resource: place.to, id: above };
  };
  const climb = (from: Step | undefined, arrived: (step: Step) => boolean): Step | undefined =>
    from === undefined || arrived(from) ? from : climb(up(from), arrived);
  const exists = ({ resource, id }: Step) =>
    statement(`SELECT "id" FROM ${quoted(resource)} WHERE "id" = ?`).get(id) !== undefined;

  return (owner, of) => {
    const found = climb(of, ({ resource }) => resource === owner);
    if (found === undefined || !exists(found)) return undefined;
    const user = climb(found, ({ resource }) => definitionOf(definitions, resource).principal);
    return user && { id: found.id, user: user.id };
  };
}
