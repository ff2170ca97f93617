// Every name a template uses is there in its view: Handlebars is silent about a missing one inside #if and #each.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { behaviourView } from '../../generator/emit/behaviour.js';
import { clientViews } from '../../generator/emit/client/client.js';
import { eventsView } from '../../generator/emit/events.js';
import { resourceView } from '../../generator/emit/resource.js';
import { modelOf, SPEC } from '../access/project.js';
import { ROOT } from '../support/paths.js';

const FOLDER = join(ROOT, 'generator', 'emit', 'templates');

/** Views of every resource: between them each list of a view has a member somewhere. */
function views(): Readonly<Record<string, readonly object[]>> {
  const built = modelOf(SPEC);
  const client = clientViews(built);
  // The project's own columns have lost no values.
  const losing = built.resources.map((one) => ({
    ...one,
    columns: one.columns.map((column) => ({ ...column, removed: ['Gone'] })),
  }));
  return {
    ...Object.fromEntries(
      ['types', 'rows', 'definition'].map((part) => [
        `resource-${part}`,
        losing.map((one) => resourceView(one, '../kit.js')),
      ]),
    ),
    index: [
      {
        kit: '',
        title: '',
        version: '',
        resources: [{ name: '' }],
        functions: '',
        lifecycles: '',
        actions: '',
        catalogue: '',
      },
    ],
    'client-resource': client.resources.map(({ view }) => view),
    'client-catalogue': client.catalogue,
    'client-index': [client.index],
    'client-exports': [client.exports],
    events: [eventsView(built, '')],
    behaviour: [
      behaviourView(
        {
          ...built,
          resources: built.resources.map((one) => ({ ...one, servedBy: null, lifecycle: ['beforeCreate' as const] })),
        },
        '',
      ),
    ],
  };
}

/** Names used by the program but absent from every one of the contexts it is rendered with. */
function missing(program: hbs.AST.Program, contexts: readonly unknown[]): string[] {
  return program.body.flatMap((statement) => {
    if (statement.type === 'MustacheStatement') return unknown((statement as hbs.AST.MustacheStatement).path, contexts);
    if (statement.type !== 'BlockStatement') return [];
    const block = statement as hbs.AST.BlockStatement;
    const parameter = block.params[0] as hbs.AST.PathExpression;
    const absent = unknown(parameter, contexts);
    const inner =
      (block.path as hbs.AST.PathExpression).original === 'each'
        ? contexts.flatMap((one) => members(one, parameter.original))
        : contexts;
    return [...absent, ...missing(block.program, inner), ...(block.inverse ? missing(block.inverse, contexts) : [])];
  });
}

function unknown(path: hbs.AST.Expression, contexts: readonly unknown[]): string[] {
  const name = (path as hbs.AST.PathExpression).original;
  if (name === 'this') return [];
  return contexts.length > 0 && contexts.every((one) => typeof one === 'object' && one !== null && name in one)
    ? []
    : [name];
}

function members(context: unknown, name: string): readonly unknown[] {
  const value = (context as Readonly<Record<string, unknown>>)[name];
  return Array.isArray(value) ? value : [];
}

describe('templates', () => {
  const built = views();

  test.each(readdirSync(FOLDER))('%s uses only names of its view', (file) => {
    const contexts = built[file.replace('.hbs', '')];
    expect(contexts).toBeDefined();
    expect(missing(Handlebars.parse(readFileSync(join(FOLDER, file), 'utf8')), contexts ?? [])).toEqual([]);
  });

  test('a name that is missing from the view is detected', () => {
    const program = Handlebars.parse('{{#if titel}}{{name}}{{/if}}{{#each columns}}{{nmae}}{{/each}}');
    expect(missing(program, built['resource-rows'] ?? [])).toEqual(['titel', 'nmae']);
  });
});
