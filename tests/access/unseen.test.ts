// Descriptors nobody has seen are covered by themselves: dropped into a copy of the spec, the matrix looks at them too,
// finds nothing where they are sound, and finds each weakness where they are not.
import { readSpec } from '../../generator/io.js';
import { BROKEN } from './matrix.js';
import { build, ownModel } from './mutants/build.js';
import { runMutants } from './mutants/run.js';
import { SPEC } from './project.js';

/** A component with an image and a note for editors; a member of it; a tree of the user's own, hidden from the rest. */
const UNSEEN = {
  tray: `
resource: tray
title: Tray
summary: Tray for sorting pieces.
plural: trays
extends: component
identities: [ShallowTray, DeepTray]
fields:
  inlay: { kind: image, description: Image of the inlay. }
  note: { kind: text, max: 200, view: editor, description: For those who edit it. }
`,
  traylabel: `
resource: traylabel
title: Tray label
summary: Label of a compartment.
plural: traylabels
fields:
  name: { kind: text, required: true, description: What it says. }
  tray: { kind: reference, to: tray, required: true, need: edit, place: true, on_delete: cascade, list: labels, description: Tray it is on. }
  print: { kind: image, description: Image of the label. }
access: { read: anyone, edit: [tray] }
`,
  binder: `
resource: binder
title: Binder
summary: Place for notes; nobody else knows of it.
plural: binders
extends: owned
fields:
  name: { kind: text, required: true, description: Name of the binder. }
  pinned: { kind: boolean, set: admin, description: Whether it stays on top. }
  secret: { kind: text, from: random, view: nobody, description: Never shown. }
  binder: { kind: reference, to: binder, need: use, inside: true, on_delete: set_null, list: true, description: Binder it lies in. }
access: { hidden: true }
`,
} as const;
type Unseen = keyof typeof UNSEEN;

/** What is wrong with it, in which of them, and the text with the mistake. */
const WEAKNESSES: readonly (readonly [string, Unseen, string, string])[] = [
  ['anyone edits', 'tray', 'extends: component', 'extends: component\naccess: { edit: anyone }'],
  ['a note for all', 'tray', ' view: editor,', ''],
  ['the image for all', 'tray', '{ kind: image,', '{ kind: image, view: anyone,'],
  ['into any game', 'tray', 'fields:', 'fields:\n  game: { need: exists }'],
  ['onto any tray', 'traylabel', 'need: edit', 'need: exists'],
  ['labels of anyone', 'traylabel', 'edit: [tray]', 'edit: anyone'],
  ['anyone pins', 'binder', ' set: admin,', ''],
  ['the secret told', 'binder', 'view: nobody', 'view: anyone'],
  ['into any binder', 'binder', 'need: use', 'need: exists'],
];

const sound = readSpec(SPEC);

function withUnseen(changed: Partial<Record<Unseen, string>>) {
  const texts = Object.entries({ ...UNSEEN, ...changed });
  return {
    ...sound,
    files: [...sound.files, ...texts.map(([name, text]) => ({ path: `spec/resources/${name}.yaml`, text }))],
  };
}

test('CoveredByThemselves', async () => {
  const weak = WEAKNESSES.map(([name, unseen, find, replace]) => {
    const text = UNSEEN[unseen].replace(find, replace);
    expect(text).not.toBe(UNSEEN[unseen]);
    return { name: `${unseen}: ${name}`, source: withUnseen({ [unseen]: text }) };
  });
  const { jobs, refused } = build([{ name: 'sound', source: withUnseen({}) }, ...weak]);
  expect(refused).toEqual([]);
  const own = { name: 'own', edits: [], generated: null, model: ownModel() };
  // A weakness is one against what was meant, which the sound descriptors say.
  const meant = jobs.find(({ name }) => name === 'sound')?.model ?? '';
  const verdicts = await runMutants([own, ...jobs.map((job) => ({ ...job, model: meant }))]);
  expect(verdicts.filter(({ name, found }) => (name === 'own' || name === 'sound') && found.length > 0)).toEqual([]);
  expect(
    verdicts
      .filter(({ found }) => found.length === 0)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['own', 'sound']);
  expect(verdicts.filter(({ found }) => found.some((one) => one.startsWith(BROKEN)))).toEqual([]);
  const probes = (name: string) => verdicts.find((one) => one.name === name)?.probes ?? 0;
  expect(probes('sound')).toBeGreaterThan(probes('own') + 300);
}, 120_000);
