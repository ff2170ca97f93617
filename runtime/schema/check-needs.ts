// Compares a project with what hand-written code needs from it. Pure; the table is needs.ts.

import type { AnyDefinition, Generated } from '../contract/definition.js';
import { API_KEYS, type FieldNeed, MODULES, type Module, type ResourceNeed } from '../contract/needs.js';
import type { Column, Schema } from './schema.js';

/** What the comparison needs to know about a project. */
export interface ProjectShape {
  readonly resources: readonly ResourceShape[];
  readonly events: readonly string[];
  /** Whether a resource may exist although it is not listed. */
  mayHave?(resource: string): boolean;
}

export interface ResourceShape {
  readonly name: string;
  readonly principal: boolean;
  readonly upload: boolean;
  readonly servedBy: string | null;
  readonly brief: boolean;
  readonly lifecycle: readonly string[];
  readonly actions: readonly string[];
  /** Current names of renamed fields that meet a need, by the name in the table of needs. */
  readonly needs: Readonly<Record<string, string>>;
  /** Null: there is no such field. Undefined: it cannot be known. */
  field(name: string, need: FieldNeed): FieldShape | null | undefined;
}

export interface FieldShape {
  readonly kind: string;
  readonly to: string | null;
  /** Undefined: not known. */
  readonly from: string | null | undefined;
  readonly unique: boolean;
  readonly filled: boolean;
  readonly guarded: boolean;
}

/** A need of a module that the project does not meet. */
export interface Unmet {
  readonly module: string;
  readonly purpose: string;
  /** The resource and its key that make the module run; null if nothing in the project does. */
  readonly because: { readonly resource: string; readonly key: string } | null;
  /** Null: the project itself lacks `lacks`. */
  readonly resource: string | null;
  /** Null: the resource as a whole does not suit the module. */
  readonly field: string | null;
  /** What is missing, `the action "ship"`; null if the field exists but must be different. */
  readonly lacks: string | null;
  /** What to write in the descriptor: `unique: true`. */
  readonly write: string;
}

/**
 * Which hand-written code the descriptors must suit. `own`: runtime/resources is written for these descriptors.
 * `shared`: its code runs where a resource declares its functions. `given`: the spec, or the caller that starts the server,
 * provides other functions instead.
 */
export type Code = 'own' | 'shared' | 'given';

/** @returns everything that hand-written code needs and the project lacks */
export function unmetNeeds(project: ProjectShape, code: Code): readonly Unmet[] {
  return MODULES.flatMap((module) => {
    const because = reason(module, project);
    const hasFunctions = typeof module.runs === 'object' && 'resource' in module.runs;
    if (hasFunctions && code === 'given') return [];
    if (because === null && !(hasFunctions && code === 'own')) return [];
    const common = { module: module.module, purpose: module.purpose, because };
    return [
      ...Object.entries(module.resources).flatMap(([name, need]) => ofResource(project, name, need)),
      ...ofEvents(project, module),
    ].map((lack) => ({ ...common, ...lack }));
  });
}

/** A field that hand-written code uses. */
export interface UsedField extends Pick<Unmet, 'module' | 'purpose'> {
  readonly resource: string;
  /** Its name in the table of needs. */
  readonly field: string;
  /** Its name in the project; null: the project does not have it. */
  readonly present: string | null;
  readonly optional: boolean;
  readonly isReference: boolean;
}

/** @returns the fields that the code running in the project needs or can use */
export function usedFields(project: ProjectShape): readonly UsedField[] {
  return MODULES.flatMap((module) => {
    if (reason(module, project) === null) return [];
    const { module: name, purpose } = module;
    return Object.entries(module.resources).flatMap(([role, { fields }]) => {
      const resource = resourceFor(project, role);
      if (resource === undefined) return [];
      return Object.entries(fields).map(([field, need]) => {
        const present = resource.needs[field] ?? field;
        return {
          ...{ module: name, purpose, resource: resource.name, field },
          present: resource.field(present, need) === null ? null : present,
          optional: need.optional === true,
          isReference: need.to !== undefined,
        };
      });
    });
  });
}

/** An unmet need as a sentence for operators. */
export function unmetText({ module, purpose, resource, field, lacks, write }: Unmet): string {
  const problem =
    lacks === null ? `${resource}.${field} is not \`${write}\`` : `${resource ?? 'the project'} is missing ${lacks}`;
  return `${problem}, which ${module} needs to ${purpose}`;
}

/** The shape of a compiled project. */
export function compiledShape(schema: Schema, { definitions, events }: Generated): ProjectShape {
  const tables = new Map(schema.tables.map((table) => [table.name, table]));
  return {
    events: Object.keys(events),
    resources: definitions.map((definition) => ({
      name: definition.name,
      principal: definition.principal,
      upload: definition.upload !== null,
      servedBy: definition.servedBy,
      brief: definition.brief.length > 0,
      lifecycle: definition.lifecycle,
      actions: Object.keys(definition.actions),
      needs: definition.needs ?? {},
      field(name, need) {
        const table = tables.get(definition.name);
        const column = table?.columns.find((one) => one.name === (need.to === undefined ? name : `${name}_id`));
        const unique = table?.uniques.some((columns) => columns.length === 1 && columns[0] === column?.name) ?? false;
        return column === undefined ? null : { ...columnShape(definition, column), unique };
      },
    })),
  };
}

/** The current name of a field that hand-written code can work without; null: there is none. @param need its name in needs.ts */
export function fieldFor({ needs = {}, properties }: AnyDefinition, need: string): string | null {
  const name = needs[need] ?? need;
  return Object.hasOwn(properties, name) ? name : null;
}

function columnShape(definition: AnyDefinition, column: Column): Omit<FieldShape, 'unique'> {
  const parameter = definition.parameters[column.name];
  return {
    kind: column.kind ?? column.type,
    to: column.references?.table ?? null,
    from: undefined,
    filled: !column.nullable,
    guarded: parameter === undefined || parameter.set === 'admin',
  };
}

function reason({ runs, resources }: Module, project: ProjectShape): Unmet['because'] {
  if (typeof runs === 'object' && 'resource' in runs) {
    const need = resources[runs.resource];
    const names: readonly string[] = [...(need?.lifecycle ?? []), ...(need?.actions ?? [])];
    const resource = project.resources.find(({ name }) => name === runs.resource);
    const declares = [...(resource?.lifecycle ?? []), ...(resource?.actions ?? [])].some((name) =>
      names.includes(name),
    );
    return declares ? { resource: runs.resource, key: 'resource' } : null;
  }
  const resource = project.resources.find((one) =>
    typeof runs === 'object' ? one.servedBy === runs.servedBy : one[runs],
  );
  if (resource === undefined) return null;
  return { resource: resource.name, key: typeof runs === 'object' ? 'served_by' : runs };
}

type Lack = Omit<Unmet, 'module' | 'purpose' | 'because'>;

function resourceFor(project: ProjectShape, name: string): ResourceShape | undefined {
  if (name === '@principal') return project.resources.find(({ principal }) => principal);
  if (name === '@upload') return project.resources.find(({ upload }) => upload);
  return project.resources.find((one) => one.name === (name === '@keys' ? API_KEYS : name));
}

function ofResource(project: ProjectShape, name: string, need: ResourceNeed): readonly Lack[] {
  const resource = resourceFor(project, name);
  if (resource === undefined) {
    if (name.startsWith('@') || project.mayHave?.(name)) return [];
    return [{ resource: null, field: null, lacks: `the resource "${name}"`, write: `resource: ${name}` }];
  }
  const lack = (lacks: string, write: string): Lack => ({ resource: resource.name, field: null, lacks, write });
  return [
    ...Object.entries(need.fields).flatMap(([field, one]) => ofField(project, resource, { ...one, field })),
    ...(need.brief && !resource.brief ? [lack('"brief"', 'brief: [id, name, file_type]')] : []),
    ...(need.lifecycle ?? [])
      .filter((step) => !resource.lifecycle.includes(step))
      .map((step) => lack(`the lifecycle function ${step}`, `lifecycle: [${step}]`)),
    ...(need.actions ?? [])
      .filter((action) => !resource.actions.includes(action))
      .map((action) => lack(`the action "${action}"`, `actions: { ${action}: … }`)),
  ];
}

function ofField(
  project: ProjectShape,
  resource: ResourceShape,
  { field: named, ...need }: FieldNeed & { readonly field: string },
): readonly Lack[] {
  const field = resource.needs[named] ?? named;
  const shape = resource.field(field, need);
  if (shape === undefined || (shape === null && need.optional)) return [];
  const at = { resource: resource.name, field };
  const to = need.to === undefined ? null : (resourceFor(project, need.to)?.name ?? null);
  const required = requirements(need, to);
  if (shape === null) {
    const { kinds } = need;
    const keys = requirements({ ...need, kinds: kinds.slice(0, 1) }, to).map((one) => one.write);
    const hidden = need.view === undefined ? [] : [`view: ${need.view}`];
    const write = `${field}: { ${[...keys, ...hidden].join(', ')} }`;
    return [{ ...at, lacks: `the field "${field}"`, write }];
  }
  // One mistake gives one sentence: the consequences of a wrong kind are not reported as well.
  const misfit = required.find(({ isMet }) => !isMet(shape));
  return misfit === undefined ? [] : [{ ...at, lacks: null, write: misfit.write }];
}

interface Requirement {
  /** As written in the descriptor. */
  readonly write: string;
  isMet(shape: FieldShape): boolean;
}

/** @param to target of a reference; null: none, or not known */
function requirements(need: FieldNeed, to: string | null): readonly Requirement[] {
  const rows: readonly (Requirement | null)[] = [
    { write: `kind: ${need.kinds.join(' or ')}`, isMet: ({ kind }) => need.kinds.includes(kind) },
    to === null ? null : { write: `to: ${to}`, isMet: (shape) => shape.to === to },
    need.from === undefined
      ? null
      : { write: `from: ${need.from}`, isMet: ({ from }) => from === undefined || from === need.from },
    need.unique ? { write: 'unique: true', isMet: ({ unique }) => unique } : null,
    // A field that the service fills is never null.
    need.filled !== undefined && need.from === undefined ? { write: need.filled, isMet: ({ filled }) => filled } : null,
    need.guarded ? { write: 'set: admin', isMet: ({ guarded }) => guarded } : null,
  ];
  return rows.flatMap((row) => row ?? []);
}

function ofEvents(project: ProjectShape, { events = [] }: Module): readonly Lack[] {
  if (!project.resources.some(({ servedBy }) => servedBy !== null)) return [];
  return events
    .filter((event) => !project.events.includes(event))
    .map((event) => ({ resource: null, field: null, lacks: `the event ${event}`, write: `events: { ${event}: … }` }));
}
