// Compares the descriptors with the tables: whatever a descriptor lacks, adds or changes fails here.
import { clauses, editorsOnly, neverShown } from './access.js';
import { descriptor, descriptorNames, identitiesOf, node, properties, yaml } from './descriptor.js';
import { describedLists, describedParameters, describedPaths } from './descriptor-parameters.js';
import { limits } from './limits.js';
import { gameLists } from './lists.js';
import { parameters, updateRequires } from './parameters.js';
import { listedPaths } from './paths.js';
import { records } from './resources.js';
import { aroundNames, documentedNames, type Field, furtherNames, type RecordName } from './table.js';

const names: readonly RecordName[] = [...documentedNames, ...aroundNames];
const imageTypes = yaml('conventions.yaml').image_types as readonly string[];

test('every record has a descriptor, and there are no others', () => {
  expect(descriptorNames()).toEqual([...names, ...furtherNames].sort());
});

describe.each(names)('%s', (name) => {
  const spec = descriptor(name);
  const record = records[name];

  test('identities, type constant, and the names of the type field', () => {
    expect(spec.resource).toBe(name);
    expect(record.base).toBe(`/api/${name}`);
    const identities = identitiesOf(spec);
    expect(identities).toEqual(record.identities);
    expect(spec.default_identity ?? identities?.[0] ?? null).toBe(record.defaultIdentity);
    expect(spec.type_name ?? spec.resource).toBe(record.constant);
    expect([...new Set([spec.type_field ?? 'object_type', 'object_type'])]).toEqual(record.reportedAs);
  });

  test('every property with its type, limits, default and view', () => {
    const expected = Object.entries(record.fields).filter(([, field]) => field.type !== 'password');
    const shown = Object.entries(properties(spec)).filter(([, field]) => field.type !== 'password');
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected.map(([key, row]) => [key, bare(row)])));
    expect(shown.map(([key]) => key)).toEqual(expected.map(([key]) => key));
  });

  test('properties for editors, properties that nobody sees, and access', () => {
    const ofEditors = Object.entries(properties(spec)).filter(([, field]) => field.view === 'editor');
    expect(ofEditors.map(([key]) => key)).toEqual(editorsOnly[name]);
    const access = node(spec.access);
    expect(access).toEqual(clauses[name]);
    const unseen = Object.entries(node(spec.fields)).filter(([, field]) => unseenBy(node(field)));
    expect(unseen.map(([key]) => key)).toEqual(neverShown[name] ?? []);
  });

  test('parameters: required, optional, ignored, synonyms, references', () => {
    const table = parameters[name];
    const described = describedParameters(spec, imageTypes);
    expect([...described.required].sort()).toEqual([...table.required].sort());
    expect([...described.optional].sort()).toEqual([...table.optional].sort());
    expect(described.ignored).toEqual(table.ignored);
    expect(described.synonyms).toEqual(table.synonyms);
    expect(described.references).toEqual(table.references);
    for (const required of table.required) expect(Object.keys(table.minimal)).toContain(required);
  });

  test('the counts that the document gives', () => {
    const { counted, required, optional } = parameters[name];
    if (counted === null) return;
    expect(required).toHaveLength(counted.required);
    // The document counts the labels of a listing; with images and their flags there may be more.
    expect(optional.length).toBeGreaterThanOrEqual(counted.optional);
  });

  test('aliases of paths', () => {
    const listed = listedPaths.filter(({ resource }) => resource === name).map((form) => `${form.method} ${form.path}`);
    expect([...describedPaths(spec)].sort()).toEqual(listed.sort());
  });

  test('lists', () => {
    const byIdentity = Object.entries(name === 'game' ? gameLists : {}).flatMap(([resource, lists]) =>
      Object.entries(lists).map(([list, identity]) => [list, `${resource} identity=${identity}`] as const),
    );
    expect(describedLists(name)).toEqual({ ...record.lists, ...Object.fromEntries(byIdentity) });
  });

  test('related objects', () => {
    const related = Object.entries(node(spec.fields)).flatMap(([key, field]) => {
      const { kind, to } = node(field);
      return kind === 'reference' ? [[key, to]] : kind === 'file' ? [[key, 'file']] : [];
    });
    expect(Object.fromEntries(related)).toEqual(record.related);
  });

  test('the parameters that an update requires', () => {
    const update = node(node(spec.operations).update);
    // A parameter with a default is always optional.
    const fields = node(spec.fields);
    const optional = parameters[name].optional.filter((parameter) => node(fields[parameter]).default === undefined);
    const all = [...parameters[name].required, ...optional];
    expect(update.required === 'all' ? all.sort() : undefined).toEqual(
      updateRequires[name] && [...updateRequires[name]].sort(),
    );
  });

  test('every field has a description', () => {
    expect(spec.title).toEqual(expect.any(String));
    expect(spec.summary).toEqual(expect.any(String));
    for (const [key, field] of Object.entries(node(spec.fields))) {
      expect([key, node(field).description]).toEqual([key, expect.any(String)]);
    }
  });
});

test('limits: the tables agree where they state a limit twice', () => {
  for (const { resource, parameter, accepts, refuses, default: fallback } of limits) {
    const field = records[resource].fields[parameter];
    const { min, max, values } = field ?? {};
    if (fallback !== undefined && field?.type !== 'identity') expect(field?.default).toBe(fallback);
    if (values) expect(accepts).toEqual(expect.arrayContaining([...values]));
    if (field?.type === 'integer' && min !== undefined && max !== undefined) {
      expect(accepts).toEqual(expect.arrayContaining([min, max]));
      expect(refuses).toEqual(expect.arrayContaining([min - 1, max + 1]));
    }
  }
});

test('limits: every bounded field of a documented resource has a row', () => {
  const rows = limits.map(({ resource, parameter }) => `${resource}.${parameter}`);
  const bounded = documentedNames
    .filter((name) => name !== 'webhook')
    .flatMap((name) =>
      Object.entries(records[name].fields)
        .filter(([, field]) => !field.readOnly && (field.max ?? field.values ?? field.type === 'identity'))
        .map(([key]) => `${name}.${key}`),
    );
  expect(rows).toEqual(expect.arrayContaining(bounded));
});

function bare({ notes: _, ...row }: Field) {
  return row;
}

function unseenBy(field: ReturnType<typeof node>): boolean {
  return field.view === 'nobody' || field.kind === 'password';
}
