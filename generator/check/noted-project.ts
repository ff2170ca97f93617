// A project of which every question is noted, so that a rule judges a resource again only when an answer differs.

import { notedSpec } from '../model/kinds/lookup.js';
import { type Note, notedMap } from '../remembered.js';
import type { Project } from './project.js';

/** An index is asked for one entry at a time, the spec for one key; anything else is one question. */
export function notedProject(project: Project, note: Note<Project>): Project {
  return new Proxy(project, {
    get(_, key) {
      if (key === 'byName') return notedMap('byName', ({ byName }) => byName, note);
      if (key === 'referring') return notedMap('referring', ({ referring }) => referring, note);
      if (key !== 'spec') return note(String(key), (one) => Reflect.get(one, key));
      return notedSpec(project.spec, (name, ask) => note(`spec ${name}`, ({ spec }) => ask(spec)));
    },
  });
}
