// The template's view of one resource's file: every piece of text, so that the template decides nothing.

import type { RouteDefinition } from '../../runtime/definition.js';
import type { Action, Resource } from '../model/model.js';
import { takesKey } from '../model/promises.js';
import { type Route, routesOf } from '../model/routes.js';
import {
  type ActionView,
  actionView,
  type ColumnView,
  columnViews,
  createMember,
  type Member,
  propertySetting,
  recordMember,
  type Setting,
  setting,
  takenByCreate,
  updateMember,
} from './members.js';
import { briefType } from './row-code.js';
import { comment, inline, list, literal, object, pascalCase, property } from './typescript.js';
import { type NamedUnion, namedUnions } from './unions.js';

export interface ResourceView {
  readonly source: string;
  readonly name: string;
  readonly plural: string;
  readonly pascal: string;
  readonly title: string;
  readonly titleLiteral: string;
  readonly summary: string;
  /** Where the kit is, seen from the file. */
  readonly kit: string;
  readonly imports: string;
  readonly typeImports: readonly { readonly type: string; readonly module: string }[];
  readonly enums: readonly NamedUnion[];
  readonly record: readonly Member[];
  readonly columns: readonly ColumnView[];
  /** None or one: the brief description that other records show. */
  readonly briefs: readonly { readonly pascal: string; readonly names: readonly string[] }[];
  readonly createParameters: readonly Member[];
  readonly updateParameters: readonly Member[];
  readonly properties: readonly Setting[];
  readonly parameters: readonly Setting[];
  readonly actions: readonly ActionView[];
  readonly principal: boolean;
  readonly upload: string;
  readonly servedBy: string;
  readonly operations: string;
  readonly routes: readonly string[];
  readonly oldNames: readonly Setting[];
  readonly synonyms: string;
  readonly ignored: string;
  readonly references: readonly string[];
  readonly read: readonly string[];
  readonly edit: readonly string[];
  readonly rights: readonly { readonly name: string; readonly clauses: readonly string[] }[];
  readonly hidden: boolean;
  readonly lists: readonly string[];
  readonly whole: string;
  readonly order: string;
  readonly sortable: readonly string[];
  readonly filters: string;
  readonly options: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** Empty: all are the words of the values. */
  readonly titles: string;
  readonly sizes: readonly Setting[];
  /** None or one: its identities in the catalogue. */
  readonly catalogue: readonly CatalogueView[];
  readonly removed: readonly Setting[];
  readonly uniques: string;
  /** Empty: a create always makes a new record. */
  readonly existing: string;
  readonly brief: string;
  readonly lifecycle: string;
  readonly deprecations: readonly string[];
}

interface CatalogueView {
  /** Empty: the words of the identities. */
  readonly title: string;
  readonly attributes: string;
  readonly identities: readonly Setting[];
}

/**
 * @param resource from the model
 * @param kit import path of the kit as seen from the generated file
 */
export function resourceView(resource: Resource, kit: string): ResourceView {
  const typed = types(resource);
  const imported = { imports: imports(typed.columns), typeImports: typeImports(resource) };
  return { kit, ...headings(resource), ...imported, ...typed, ...callers(resource), ...definition(resource) };
}

function headings(resource: Resource) {
  return {
    source: comment(resource.source),
    name: resource.name,
    plural: resource.plural,
    pascal: pascalCase(resource.name),
    title: comment(resource.title),
    titleLiteral: literal(resource.title),
    summary: comment(resource.summary),
  };
}

/** The pieces of a resource's types and handlers. */
function types(resource: Resource) {
  const unions = namedUnions(resource);
  const pascal = pascalCase(resource.name);
  return {
    enums: unions.all,
    columns: columnViews(resource.columns, unions.name),
    record: resource.properties.map((shown) => recordMember(shown, resource, unions.name)),
    briefs: resource.brief.length === 0 ? [] : [{ pascal, names: resource.brief.map(literal) }],
    createParameters: takenByCreate(resource.parameters).map((sent) => createMember(sent, unions.name)),
    updateParameters: resource.parameters.map((sent) => updateMember(sent, unions.name)),
    actions: resource.actions.map((action) => actionView(action, pascal, unions.name)),
  };
}

/** Who may do what, and with which parameters. */
function callers(resource: Resource) {
  const { parameters, operations, ignored, access } = resource;
  const synonyms = parameters.flatMap(({ name, synonyms }) => synonyms.map((other) => [other, name]));
  return {
    parameters: parameters.map(setting),
    operations: object(operations),
    routes: routesOf(resource).map((route) => inline(routeDefinition(resource, route))),
    oldNames: resource.oldNames.map(({ name, identity }) => ({ name: property(name), value: literal(identity) })),
    synonyms: object(Object.fromEntries(synonyms)),
    ignored: list(ignored),
    read: access.read.map(inline),
    edit: access.edit.map(inline),
    rights: Object.entries(access.rights).map(([name, clauses]) => ({
      name: property(name),
      clauses: clauses.map(inline),
    })),
    hidden: access.hidden,
  };
}

function keyless(resource: Resource, action: Action): Pick<RouteDefinition, 'takesKey'> {
  return action.method === 'POST' && !takesKey(resource, action) ? { takesKey: false } : {};
}

function routeDefinition(resource: Resource, route: Route): RouteDefinition {
  const { method, path } = route;
  switch (route.kind) {
    case 'options':
      return { method, path, operation: 'options' };
    case 'whole':
      return { method, path, operation: 'list' };
    case 'bulk':
      return { method, path, operation: 'bulk', name: route.list.name, parent: route.list.parent };
    case 'list':
      return { method, path, operation: 'list', name: route.list.name, parent: route.list.parent };
    case 'uses':
      return { method, path, operation: 'uses', name: route.name };
    case 'action':
      return { method, path, operation: 'action', name: route.action.name, ...keyless(resource, route.action) };
    default:
      return { method, path, operation: route.kind, ...(route.isAlias ? { isAlias: true } : {}) };
  }
}

function definition(resource: Resource) {
  return {
    properties: resource.properties.map(propertySetting),
    principal: resource.principal,
    upload: resource.upload ? object(resource.upload) : 'null',
    servedBy: literal(resource.servedBy),
    references: resource.references.map(inline),
    lists: resource.lists.map(inline),
    whole: resource.whole === null ? '' : inline(resource.whole),
    order: list(resource.order),
    sortable: resource.sortable.map(literal),
    filters: list(resource.filters),
    options: options(resource),
    titles: Object.keys(resource.titles).length === 0 ? '' : inline(resource.titles),
    removed: removedValues(resource),
    sizes: Object.entries(resource.sizes).map(([name, size]) => ({ name: property(name), value: literal(size) })),
    catalogue: catalogueView(resource),
    uniques: inline(resource.uniques),
    existing: resource.existing === null ? '' : list(resource.existing),
    brief: list(resource.brief),
    lifecycle: list(resource.lifecycle),
    deprecations: resource.deprecations.map(inline),
  };
}

const KIT_FUNCTIONS = /(?<![.\w])(?:bit|epoch|jsonText|kept|owner|proofed|uploaded)(?=\()/g;

/** The kit's types that every file needs, and the functions that the expressions of its columns call. */
function imports(columns: readonly ColumnView[]): string {
  const code = columns.map(({ create, update }) => `${create} ${update}`).join(' ');
  const used = new Set(code.match(KIT_FUNCTIONS));
  return [...[...used].sort(), 'type Definition', 'type WriteContext'].join(', ');
}

/** Brief descriptions of other resources' records are typed in those resources' files. */
function typeImports(resource: Resource): ResourceView['typeImports'] {
  const through = new Set(
    resource.properties.map(({ source }) => (source.kind === 'description' ? source.through : '')),
  );
  const described = resource.references.filter(({ to, column }) => to !== resource.name && through.has(column));
  const modules = new Map(described.map(({ to }) => [briefType(to), to]));
  return [...modules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, module]) => ({ type, module }));
}

function catalogueView({ catalogue }: Resource): readonly CatalogueView[] {
  if (catalogue === null) return [];
  const { title, attributes, identities } = catalogue;
  const own = Object.entries(identities).map(([name, keys]) => ({ name: property(name), value: inline(keys) }));
  return [{ title: title === undefined ? '' : literal(title), attributes: inline(attributes), identities: own }];
}

function options(resource: Resource): ResourceView['options'] {
  return resource.parameters.flatMap(({ name, schema }) =>
    Array.isArray(schema.enum) ? [{ name: property(name), values: schema.enum.map(literal) }] : [],
  );
}

function removedValues({ columns }: Resource): readonly Setting[] {
  const having = columns.filter(({ removed }) => removed.length > 0);
  return having.map(({ name, removed }) => ({ name: property(name), value: list(removed) }));
}
