// Steps of a write that need no statement and are the same on all engines.
import type { ActionFunction } from '../../behaviour.js';
import type { ActionDefinition, AnyDefinition, WriteContext } from '../../definition.js';
import { ServiceError } from '../../errors.js';
import { type Ids, placementOf, type Random } from '../../ids.js';
import type { Change } from '../records.js';
import { type Composer, definitionOf } from './access.js';
import { placeReference } from './owner.js';

/** Where new ids and secrets come from. */
export interface Sources {
  readonly ids: Ids;
  readonly random: Random;
}

/** The id of a new record: the chosen one, or placed with the record it belongs to, with the caller, or drawn for a new owner. */
export function newId(composer: Composer, { ids }: Sources, definition: AnyDefinition, change: Change): string {
  if (change.id !== undefined) return change.id;
  const place = placeReference(definition);
  const sent = place && change.input[place.column];
  const principal = place && definitionOf(composer.definitions, place.to).principal ? change.caller.user : null;
  const owner = typeof sent === 'string' && sent !== '' ? sent : principal;
  return ids.next(owner === null ? ids.draw() : placementOf(owner), change.now);
}

export function writeContext(sources: Sources, change: Change, id: string): WriteContext {
  return {
    id,
    now: change.now,
    user: change.caller.user,
    upload: change.upload,
    random: secretOf(sources),
  };
}

export function secretOf({ random }: Pick<Sources, 'random'>): WriteContext['random'] {
  return () => Buffer.from(random(16)).toString('base64url');
}

/** A declared action and its function, which only those written by hand have; throws not_found if there is none. */
export function actionNamed(
  { title, actions }: AnyDefinition,
  functions: Readonly<Record<string, ActionFunction>>,
  name: string,
): { readonly declared: ActionDefinition; readonly perform: ActionFunction | undefined } {
  const perform = Object.hasOwn(functions, name) ? functions[name] : undefined;
  const declared = Object.hasOwn(actions, name) ? actions[name] : undefined;
  const isByHand = declared?.sets === undefined && declared?.copies === undefined;
  if (declared === undefined || (perform === undefined && isByHand)) {
    throw new ServiceError('not_found', `${title} has no such action.`);
  }
  return { declared, perform };
}

/** What is deleted with a record may be held by something that must stay. */
export function stillInUse({ name }: AnyDefinition): ServiceError {
  return new ServiceError('conflict', `something that would be deleted with this ${name} is still in use`);
}

/** The text of a record that the transaction has just written. */
export function shown(text: string | null | undefined): string {
  if (typeof text !== 'string') throw new Error('a record disappeared within the write that created it');
  return text;
}
