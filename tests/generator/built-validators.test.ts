// The validators of descriptors that the build has compiled belong to the current language, and report the same errors as
// validators that are compiled now.

import { builtValidators, type FileKind, type Validators, validators } from '../../generator/form/structure.js';
import { load } from '../../generator/load/load.js';
import { readCases } from './case-file.js';

const built = builtValidators();
const KINDS: readonly FileKind[] = ['resource', 'conventions', 'events'];

/** A line for each error, without the part of the schema that it names. */
function errorsOf(validatorOf: Validators, value: unknown): readonly string[] {
  return KINDS.flatMap((kind) => {
    validatorOf[kind](value);
    return (validatorOf[kind].errors ?? []).map(({ parentSchema, ...error }) =>
      JSON.stringify([kind, error, Object.keys(parentSchema ?? {})]),
    );
  });
}

test('the build has compiled the validators from the current language', () => {
  expect(built).not.toBeNull();
  expect(validators(built) === built).toBe(true);
});

test('validators of another version of the language are not used', () => {
  if (built === null) throw new Error('the build has not compiled the validators');
  const older = { ...built, compiledFrom: built.compiledFrom.replace('resource', 'source') };
  expect(validators(older) === older).toBe(false);
});

test('built validators report the same errors as newly compiled ones', () => {
  const cases = readCases();
  const documents = cases.flatMap(({ files }) => load(files).documents).filter(({ sound }) => sound);
  const [compiled, prebuilt] = [validators(null), validators(built)];
  const expected = documents.map(({ value }) => errorsOf(compiled, value).join('\n'));
  expect(expected.filter((errors) => errors !== '').length).toBeGreaterThan(cases.length);
  expect(documents.findIndex(({ value }, at) => errorsOf(prebuilt, value).join('\n') !== expected[at])).toBe(-1);
});
