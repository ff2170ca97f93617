// The view of the types of one resource: what is shown, what can be sent, and the methods.

import type { Dates } from '../../../runtime/definition.js';
import type { Others } from '../../model/find.js';
import { hasHookRoutes } from '../../model/hook-routes.js';
import type { JsonSchema, Parameter, Property, Resource } from '../../model/model.js';
import { includable } from '../../model/promises.js';
import { type Rename, takenByCreate } from '../members.js';
import { briefType } from '../row-code.js';
import { comment, literal, pascalCase, property } from '../typescript.js';
import { namedUnions } from '../unions.js';
import { hookTypes } from './hook-methods.js';
import type { Method } from './methods.js';
import { schemaType } from './types.js';

/** @param methods those of the resource's own client, lists below its records included */
export function resourceTypes(resource: Resource, others: Others, methods: readonly Method[]) {
  const pascal = pascalCase(resource.name);
  const unions = namedUnions(resource);
  const shown = resource.properties.filter(({ name, view }) => view !== 'nobody' && !COMMON.includes(name));
  const parts = {
    source: comment(resource.source),
    pascal,
    summary: comment(resource.summary),
    constant: literal(resource.constant),
    enums: unions.all.map(({ name, members }) => ({ name, members: filled(members) })),
    record: [...shown.map((one) => shownMember(one, resource, unions.name)), ...included(resource)],
    briefs:
      resource.brief.length === 0
        ? []
        : [{ name: briefType(resource.name), pascal, names: resource.brief.map(literal).join(' | ') }],
    parameters: [...sentTypes(resource, pascal, unions.name), ...(hasHookRoutes(resource) ? hookTypes(resource) : [])],
    aliases: aliases(resource, pascal, unions.name),
    methods: methods.map((one) => ({ ...one, name: property(one.name) })),
  };
  return { ...parts, core: coreTypes(JSON.stringify(parts)), imports: imports(resource, others, methods) };
}

/** Declared by the core for all records. */
const COMMON = ['id', 'object_type', 'date_created', 'date_updated'];

function shownMember(shown: Property, { references }: Resource, rename: Rename): string {
  const { source, schema, nullable, view, whenSet } = shown;
  const described =
    source.kind === 'description' ? references.find(({ column }) => column === source.through) : undefined;
  const type = described === undefined ? typeOf(schema, rename) : briefType(described.to);
  return line(
    `readonly ${property(shown.name)}${view !== null || whenSet ? '?' : ''}`,
    type + (nullable ? ' | null' : ''),
    shown,
  );
}

function included(resource: Resource): readonly string[] {
  return includable(resource).map(({ name, to }) => `readonly ${property(name)}?: ${pascalCase(to)}Record;`);
}

/** Create, and the parameters of actions. */
function sentTypes({ operations, parameters, actions }: Resource, pascal: string, rename: Rename) {
  const typed = (name: string, of: readonly Parameter[]) => ({
    name,
    members: of.map((one) => sentMember(one, rename)),
  });
  const taken = takenByCreate(parameters);
  return [
    ...(operations.create === null && operations.update === null ? [] : [typed(`${pascal}Create`, taken)]),
    ...actions
      .filter((one) => one.parameters.length > 0)
      .map((one) => typed(pascal + pascalCase(one.name), one.parameters)),
  ];
}

function sentMember(sent: Parameter, rename: Rename): string {
  return line(`${property(sent.name)}${sent.requiredOnCreate ? '' : '?'}`, typeOf(sent.schema, rename), sent);
}

/** An update may change what a create sets; some also need what only an update takes, or everything again. */
function aliases(resource: Resource, pascal: string, rename: Rename) {
  const { operations, parameters, sortable } = resource;
  const needed = parameters.filter(({ requiredOnUpdate }) => requiredOnUpdate).map(({ name }) => literal(name));
  const proofs = parameters
    .filter(({ proves }) => proves !== undefined)
    .map(({ name }) => `${property(name)}?: string`);
  const update = [
    `Changes<${pascal}Create>`,
    ...(needed.length === 0 ? [] : [`Required<Pick<Changes<${pascal}Create>, ${needed.join(' | ')}>>`]),
    ...(proofs.length === 0 ? [] : [`{ ${proofs.join('; ')} }`]),
  ];
  const orders = sortable.length === 0 ? '' : `<${filled(sortable.map(literal))}>`;
  return [
    ...(operations.update === null ? [] : [{ name: `${pascal}Update`, type: update.join(' & ') }]),
    { name: `${pascal}Query`, type: `ListQuery${orders}${filters(resource, rename)}` },
  ];
}

function filters({ filters: names, parameters, properties }: Resource, rename: Rename): string {
  const members = names.map((name) => {
    const found = [...parameters, ...properties].find((one) => one.name === name);
    return `${property(name)}?: ${found === undefined ? 'string' : typeOf(found.schema, rename)}`;
  });
  return members.length === 0 ? '' : ` & { ${members.join('; ')} }`;
}

function typeOf(schema: JsonSchema, rename: Rename): string {
  return Array.isArray(schema.enum) ? rename(schema.enum as readonly string[]) : schemaType(schema);
}

interface Described {
  readonly description: string;
  readonly deprecation?: Dates;
}

/** `/** Number of copies. *\/ quantity?: number;` */
function line(name: string, type: string, { description, deprecation }: Described): string {
  const said = `${comment(description)}${deprecation?.deprecated === undefined ? '' : ' @deprecated'}`;
  return `${said === '' ? '' : `/** ${said} */ `}${name}: ${type};`;
}

/** A union over as few lines as its members need. */
function filled(members: readonly string[]): string {
  const lines: string[] = [];
  for (const member of members) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + member.length < WIDTH) lines[lines.length - 1] = `${last} | ${member}`;
    else lines.push(lines.length === 0 ? member : `| ${member}`);
  }
  return lines.join('\n  ');
}

const WIDTH = 112;

const CORE = /\b(?:Below|CallOptions|Changes|Continuation|Deleted|Include|List|ListQuery|Search|UnkeyedOptions)\b/g;

function coreTypes(used: string): string {
  return [...new Set(used.match(CORE)), 'Shown'].sort().join(', ');
}

/** Types that other resources' files declare. */
function imports(resource: Resource, others: Others, methods: readonly Method[]) {
  const { references, properties } = resource;
  const through = properties.flatMap(({ source }) => (source.kind === 'description' ? [source.through] : []));
  const briefs = references
    .filter(({ column }) => through.includes(column))
    .map(({ to }) => [briefType(to), to] as const);
  const records = includable(resource).map(({ to }) => [`${pascalCase(to)}Record`, to] as const);
  const all = [...briefs, ...records, ...methods.flatMap(({ uses }) => uses)];
  const modules = new Map<string, Set<string>>();
  for (const [type, module] of all) {
    if (module === resource.name || others.find(module) === undefined) continue;
    modules.set(module, (modules.get(module) ?? new Set()).add(type));
  }
  return [...modules]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, types]) => ({ module, types: [...types].sort().join(', ') }));
}
