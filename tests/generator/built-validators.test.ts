// The validators of descriptors that the build has compiled: they are those of this language, and find what newly compiled ones
// find.

import { builtValidators, type FileKind, type Validators, validators } from '../../generator/form/structure.js';
import { load } from '../../generator/load/load.js';
import { readCases } from './case-file.js';

const built = builtValidators();
const KINDS: readonly FileKind[] = ['resource', 'conventions', 'events'];

/** A line for each error, without the part of the schema that it names. */
function errorsOf(all: Validators, value: unknown): readonly string[] {
  return KINDS.flatMap((kind) => {
    all[kind](value);
    return (all[kind].errors ?? []).map(({ parentSchema, ...error }) =>
      JSON.stringify([kind, error, Object.keys(parentSchema ?? {})]),
    );
  });
}

test('the build has compiled them from the present language', () => {
  expect(built).not.toBeNull();
  expect(validators(built) === built).toBe(true);
});

test('those of another language are not used', () => {
  if (built === null) throw new Error('the build has not compiled any');
  const older = { ...built, compiledFrom: built.compiledFrom.replace('resource', 'source') };
  expect(validators(older) === older).toBe(false);
});

test('they find the same mistakes as newly compiled ones', () => {
  const cases = readCases();
  const documents = cases.flatMap(({ files }) => load(files).documents).filter(({ sound }) => sound);
  const [compiled, used] = [validators(null), validators(built)];
  const found = documents.map(({ value }) => errorsOf(compiled, value).join('\n'));
  expect(found.filter((errors) => errors !== '').length).toBeGreaterThan(cases.length);
  expect(documents.findIndex(({ value }, at) => errorsOf(used, value).join('\n') !== found[at])).toBe(-1);
});
