// Remembers what is made from a resource together with what it looked up of the others.

import { type Note, rememberedByQuestions } from '../remembered.js';
import type { Others } from './find.js';
import type { Resource } from './model.js';

/** Calls `make` again for a resource only when a look-up, or one of the further arguments, is not what it was the last time. */
export function rememberedByLookUps<A extends readonly unknown[], V>(
  make: (resource: Resource, others: Others, ...more: A) => V,
): (resource: Resource, others: Others, ...more: A) => V {
  return rememberedByQuestions(noting, make);
}

function noting(_: Others, note: Note<Others>): Others {
  return {
    find: (name) => note(`find ${name}`, (others) => others.find(name)),
    isHeld: (name) => note(`isHeld ${name}`, (others) => others.isHeld(name)),
    listsUnder: (parent) => note(`listsUnder ${parent}`, (others) => others.listsUnder(parent)),
  };
}
