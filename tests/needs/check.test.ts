// Renames and removes, one at a time, each field, resource and event that hand-written code uses, by the table of needs.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readSpec } from '../../generator/write/read-spec.js';
import { MODULES, type Module } from '../../runtime/contract/needs.js';
import { diagnose, projectFiles } from '../generator/project-files.js';
import { neededTypes } from '../support/fewer-types.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { addText, Project, removeField, renameField, renameResource } from './edits.js';

/** The previous names, so that a rename can be stated. */
const LEDGER = { path: 'spec/ledger.json', text: readFileSync(join(ROOT, 'spec', 'ledger.json'), 'utf8') };
/** The roles of the table, as our descriptors fill them. */
const PLAYED: Readonly<Record<string, string>> = { '@principal': 'user', '@upload': 'file', '@keys': 'apikey' };

interface Use {
  readonly module: string;
  readonly resource: string;
  readonly field: string;
  readonly optional: boolean;
  readonly carried: boolean;
}

const USES: readonly Use[] = MODULES.flatMap(({ module, resources }) =>
  Object.entries(resources).flatMap(([role, { fields }]) =>
    Object.entries(fields).map(([field, { optional = false, carried = false }]) => ({
      module,
      resource: PLAYED[role] ?? role,
      field,
      optional,
      carried,
    })),
  ),
);
const NAMED = MODULES.flatMap(({ module, resources, runs }) =>
  Object.keys(resources)
    .filter((name) => !name.startsWith('@'))
    .map((resource) => ({ module, resource, runs })),
);

const ALL = projectFiles();
const FILES = neededTypes(
  ALL,
  [...USES, ...NAMED].map(({ resource }) => resource),
);

/** The diagnostics after an edit of our descriptors; with `own` in our folder, otherwise in a copy. */
function diagnosticsOf(edit: (project: Project) => void, code: 'own' | 'shared' = 'shared'): readonly string[] {
  const project = new Project(FILES);
  edit(project);
  return diagnose([...project.texts(), LEDGER], code)
    .filter(({ severity }) => severity === 'error')
    .map(({ code: number, message }) => `${number} ${message}`);
}

const needed = (module: string): unknown => expect.stringMatching(`^E070[12] .* ${module}`);

describe('F04: a field that hand-written code uses', () => {
  test('our descriptors have all of them', () => {
    expect(diagnosticsOf(() => {}, 'own')).toEqual([]);
    expect(diagnose([...ALL, LEDGER], 'own').filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(USES.length).toBeGreaterThan(20);
  });

  test.each(USES.map((use) => [`${use.resource}.${use.field} (${use.module})`, use] as const))('%s', (_, use) => {
    const renaming = diagnosticsOf((project) => renameField(project, use.resource, use.field, `${use.field}_renamed`));
    const removed = diagnosticsOf((project) => removeField(project, use.resource, use.field));
    // N05: a field that never existed is reported differently from a renamed one.
    if (use.optional) {
      const refused = expect.stringMatching(`^E0704 ${use.module} uses the field "${use.field}" to `);
      return expect([renaming, removed]).toEqual([use.carried ? [] : [refused], []]);
    }
    expect(renaming).toContainEqual(needed(use.module));
    expect(removed).toContainEqual(needed(use.module));
  });
});

describe('N05: a field is renamed, and another gets its name', () => {
  const KINDS_OF_NEEDS = ['user.username', 'user.admin', 'user.email', 'apikey.user', 'file.name'];
  const uses = USES.filter(({ resource, field }) => KINDS_OF_NEEDS.includes(`${resource}.${field}`));
  test.each(uses.map((use) => [`${use.resource}.${use.field} (${use.module})`, use] as const))('%s', (_, use) => {
    const { resource, field } = use;
    const diagnostics = diagnosticsOf((project) => {
      renameField(project, resource, field, `${field}_before`);
      addText(project, { resource, beside: `${field}_before` }, field);
    });
    const pattern = new RegExp(
      `^E0705 ${use.module} finds .* by the name "${field}", which moves from "${field}_before" to another`,
    );
    // Resources that share a convention are renamed together.
    expect([...new Set(diagnostics.filter((one) => one.startsWith('E0705')))]).toEqual([
      expect.stringMatching(pattern),
    ]);
  });
});

describe('N19: the advice of E0701 gives the code what it needs, and callers need not send more than before', () => {
  const missing = USES.filter(
    ({ optional, resource }) => !optional && ['webhook', 'apikey', 'file'].includes(resource),
  );
  test.each(missing.map((use) => [`${use.resource}.${use.field}`, use] as const))('%s', (_, { resource, field }) => {
    const project = new Project(FILES);
    const [document] = project.matching((one) => one.get('resource') === resource);
    const stated: { readonly required?: boolean; readonly from?: string; readonly view?: string } | undefined =
      document?.toJS().fields[field];
    removeField(project, resource, field);
    const advice = diagnose([...project.texts(), LEDGER], 'shared').flatMap(({ code, hint }) =>
      code === 'E0701' ? [parse(/^add "(.*)"$/.exec(hint ?? '')?.[1] ?? '')] : [],
    );
    // A convention gives the field to several resources.
    const [{ [field]: added }] = advice;
    expect(added).toEqual(expect.objectContaining({ kind: expect.any(String) }));
    // The advice for a secret keeps it secret.
    if (stated?.from !== undefined) expect([field, added.view]).toEqual([field, stated.view]);
    expect(added.required === true && stated?.required !== true).toBe(false);
    document?.setIn(['fields', field], document.createNode(added));
    const left = diagnose([...project.texts(), LEDGER], 'shared');
    const about = new RegExp(`^(${resource} is|"${field}" of ${resource})`);
    expect(left.filter(({ code, message }) => code.startsWith('E07') && about.test(message))).toEqual([]);
  });
});

describe('F04: a resource that hand-written code uses', () => {
  test.each(NAMED.map((use) => [`${use.resource} (${use.module})`, use] as const))(
    '%s',
    (_, { module, resource, runs }) => {
      const rename = (code: 'own' | 'shared') =>
        diagnosticsOf((project) => renameResource(project, resource, 'renamed'), code);
      expect(rename('own')).toContainEqual(needed(module));
      // In a copy the code is not written for this resource, so that its declarations have no code.
      const isItsOwn = typeof runs === 'object' && 'resource' in runs && runs.resource === resource;
      expect(rename('shared')).toContainEqual(
        isItsOwn ? expect.stringMatching(/^E0703 renamed declares/) : needed(module),
      );
    },
  );
});

describe('F04: a resource that hand-written code uses is removed', () => {
  test.each(NAMED.map((use) => [`${use.resource} (${use.module})`, use] as const))('%s', (_, { module, resource }) => {
    const files = FILES.filter(({ path }) => path !== `spec/resources/${resource}.yaml`);
    const diagnostics = diagnose([...files, LEDGER], 'own');
    const messages = diagnostics.map(({ code, message }) => `${code} ${message}`);
    // Without the web hook itself there is nothing to send, and the service runs.
    if (resource === 'webhook') return expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(messages).toContainEqual(needed(module));
  });
});

test('F44: our own descriptors are compiled with our functions, all others only with what exists', () => {
  const copy = join(temporaryFolder('copy'), 'spec');
  cpSync(join(ROOT, 'spec'), copy, { recursive: true });
  expect([readSpec(join(ROOT, 'spec')).code, readSpec(copy).code]).toEqual(['own', 'shared']);
});

test('a resource with the name of one of ours is not ours if the spec brings its own functions', () => {
  const receipt = 'resource: receipt\ntitle: Receipt\nsummary: One.\nplural: receipts\n';
  const files = [
    ...FILES.filter(({ path }) => !path.endsWith('/receipt.yaml') && !path.endsWith('/events.yaml')),
    { path: 'spec/resources/receipt.yaml', text: `${receipt}actions: { ship: { title: Ship, by: admin } }\n` },
  ];
  const needing = (code: 'shared' | 'given') =>
    diagnose(files, code).filter(({ message }) => message.includes('runtime/resources/receipt.ts'));
  expect(needing('shared').length).toBeGreaterThan(0);
  expect(needing('given')).toEqual([]);
});

test('F04: an event that hand-written code publishes', () => {
  for (const { module, events = [] } of MODULES as readonly Module[]) {
    for (const event of events) {
      const files = FILES.map((file) => ({ ...file, text: file.text.replaceAll(event, `${event}Anew`) }));
      const messages = diagnose(files, 'shared').map(({ code, message }) => `${code} ${message}`);
      expect(messages).toContainEqual(needed(module));
    }
  }
});

describe('F44: declarations without code', () => {
  const FREE = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\n';
  const rows = [
    [
      'actions',
      'actions: { fold: { title: Fold, by: admin } }\n',
      'piece declares the action "fold", but there is no code for it',
    ],
    [
      'lifecycle',
      'lifecycle: [afterCreate]\n',
      'piece declares the lifecycle function afterCreate, but there is no code for it',
    ],
    ['served_by', 'served_by: nope\n', 'piece declares "served_by: nope", but there is no code for it'],
  ] as const;
  test.each(rows)('%s', (_, declared, message) => {
    const files = [...ALL, { path: 'spec/resources/piece.yaml', text: FREE + declared }];
    expect(diagnose(files, 'shared').map((one) => one.message)).toEqual([message]);
  });
});

test.each(['retry', 'retries'])('a list of web hooks named %s is refused only if the service has it', (list) => {
  const diagnostics = diagnosticsOf((project) => {
    const [document] = project.matching((one) => one.get('resource') === 'apikey');
    document?.setIn(['fields', 'hook'], document.createNode({ kind: 'reference', to: 'webhook', list }));
  });
  const expected = `E0309 the name "retry" is already taken on webhook, by the module of "served_by"`;
  expect(diagnostics.filter((one) => one.startsWith('E0309'))).toEqual(list === 'retry' ? [expected] : []);
});
