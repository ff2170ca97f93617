// generated/client: a package with a typed client. Behaviour is in its core, which is the same for every service; each
// resource adds names and types.

import { othersIn } from '../../model/find.js';
import { hasHookRoutes } from '../../model/hook-routes.js';
import { rememberedByLookUps } from '../../model/look-ups.js';
import type { Model, Resource } from '../../model/model.js';
import { remembered } from '../../remembered.js';
import { clientCore } from '../../write/read-template.js';
import type { Output } from '../output.js';
import { printJson } from '../print-json.js';
import { template } from '../template.js';
import { comment, literal, object, pascalCase, property } from '../typescript.js';
import { catalogueRoutes, catalogueTypes } from './catalogue.js';
import { hookFormats } from './hook-methods.js';
import { type Method, methodsOf } from './methods.js';
import { resourceTypes } from './resource-types.js';

/** @returns every file of the package */
export function clientOutputs(model: Model): readonly Output[] {
  const views = clientViews(model);
  const core = clientCore();
  return [
    ...views.resources.map((view) => resourceFile(view)),
    ...views.catalogue.map((view) => ({ path: 'client/catalogue.d.ts', text: CATALOGUE(view) })),
    { path: 'client/index.js', text: INDEX(views.index) },
    { path: 'client/index.d.ts', text: EXPORTS(views.exports) },
    { path: 'client/core.js', text: core.code },
    { path: 'client/core.d.ts', text: core.types },
    { path: 'client/package.json', text: printJson(packageJson(model)) },
  ];
}

const RESOURCE = template('client-resource');

const resourceFile = remembered(({ name, view }: ReturnType<typeof viewOf>) => ({
  path: `client/resources/${name}.d.ts`,
  text: RESOURCE(view),
}));

const CATALOGUE = template('client-catalogue');
const INDEX = template('client-index');
const EXPORTS = template('client-exports');

/** What the templates of the package are filled with. */
export function clientViews(model: Model) {
  const methods = methodsOf(model);
  const of = ({ name }: Resource): readonly Method[] => methods.get(name) ?? [];
  const others = othersIn(model);
  return {
    resources: model.resources.map((resource) => viewOf(resource, others, ...of(resource))),
    catalogue: model.catalogue === null ? [] : [catalogueTypes(model.catalogue)],
    index: indexView(model, of),
    exports: { resources: model.resources.map(exported), catalogue: model.catalogue !== null },
  };
}

const viewOf = rememberedByLookUps((resource, others, ...methods: readonly Method[]) => ({
  name: resource.name,
  view: resourceTypes(resource, others, methods),
}));

function indexView({ resources, catalogue }: Model, of: (resource: Resource) => readonly Method[]) {
  const routes = resources.map((resource) => ({
    name: resource.name,
    methods: of(resource).map(({ name, route }) => ({ name: property(name), route: literal(route) })),
  }));
  const formats: readonly Formatted[] = [
    ...resources.map((resource) => ({ constant: resource.constant, format: format(resource) })),
    ...(resources.some(hasHookRoutes) ? hookFormats() : []),
  ];
  return {
    resources: catalogue === null ? routes : [...routes, catalogueRoutes(catalogue)],
    formats: formats
      .filter(({ format: one }) => Object.keys(one).length > 0)
      .map(({ constant, format: one }) => ({ constant: property(constant), format: object(one) })),
  };
}

interface Formatted {
  /** An object type. */
  readonly constant: string;
  readonly format: Readonly<Record<string, readonly string[]>>;
}

/** What the profiles of a server write differently (D05, D06); the dates of every record are the core's. */
function format({ properties }: Resource): Readonly<Record<string, readonly string[]>> {
  const named = (fits: (schema: Resource['properties'][number]['schema']) => boolean) =>
    properties.filter(({ schema, view }) => view !== 'nobody' && fits(schema)).map(({ name }) => name);
  const booleans = named(({ type }) => type === 'boolean');
  const dates = named(({ format: form }) => form === 'date-time').filter((name) => !COMMON_DATES.includes(name));
  return { ...(booleans.length === 0 ? {} : { booleans }), ...(dates.length === 0 ? {} : { dates }) };
}

const COMMON_DATES = ['date_created', 'date_updated'];

function exported({ name, summary }: Resource) {
  return { name, pascal: pascalCase(name), summary: comment(summary) };
}

function packageJson({ title, version }: Model) {
  return {
    name: `${slug(title)}-client`,
    version: /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version) ? version : '0.0.0',
    description: `Typed client of ${title}`,
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    files: ['*.js', '*.d.ts', 'resources'],
    sideEffects: false,
    engines: { node: '>=20' },
  };
}

/** A name that npm takes. */
function slug(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain.slice(0, 200) || 'service';
}
