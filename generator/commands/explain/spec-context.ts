// A spec with everything derived from it and the place of each part: what the explanations look things up in.

import type { Project } from '../../check/project.js';
import { type Subject, written } from '../../check/subject.js';
import type { Source } from '../../compile-spec.js';
import type { Place } from '../../diagnostics/diagnostic.js';
import { position } from '../../diagnostics/print.js';
import { type KitPath, type Output, render } from '../../emit/render.js';
import type { RawResource, RawSpec } from '../../language/language.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Document, Pointer } from '../../load/load.js';
import { expand } from '../../model/kinds/kinds.js';
import type { Part } from '../../model/kinds/part.js';
import type { Model, Resource } from '../../model/model.js';
import type { CleanSpec } from '../with-spec.js';
import { type ResourceRoute, routesOf } from './routes.js';

export interface SpecContext {
  readonly documents: readonly Document[];
  readonly texts: ReadonlyMap<string, string>;
  readonly project: Project;
  readonly spec: RawSpec;
  readonly ledger: Ledger;
  readonly model: Model;
  readonly routes: readonly ResourceRoute[];
  readonly kit: KitPath;
  readonly outputs: readonly Output[];
  /** The path of a descriptor as the user names it. */
  pathOf(path: string): string;
}

/** A compiled spec with the outputs that follow from it. */
export function openSpecContext(
  { documents, project, spec, ledger, model }: CleanSpec,
  { files }: Source,
  { kit, pathOf }: Pick<SpecContext, 'kit' | 'pathOf'>,
): SpecContext {
  return {
    documents,
    texts: new Map(files.map(({ path, text }) => [path, text])),
    project,
    spec,
    ledger,
    model,
    routes: routesOf(model, spec),
    kit,
    outputs: render(model, kit),
    pathOf,
  };
}

/** A key of a descriptor, in its own file or in a convention. */
export interface Key {
  readonly pointer: Pointer;
  readonly place: Place;
}

/** The places of a key of a resource: in its own file, in its conventions, or in both; its own wins. */
export function keysOf(subject: Subject, pointer: Pointer): readonly Key[] {
  const { document } = subject;
  // A descriptor that does not state its name is named by its file.
  if (pointer[0] === 'resource' && !document.has(pointer)) return [{ pointer, place: document.locate([]) }];
  return written(subject, pointer).map((one) => ({
    pointer: one.pointer,
    place: one.document.locate(one.pointer, 'key'),
  }));
}

/** `spec/resources/x.yaml:15:3` */
export function locationText({ texts, pathOf }: SpecContext, { path, start }: Place): string {
  const { line, column } = position(texts.get(path) ?? '', start);
  return `${pathOf(path)}:${line}:${column}`;
}

/** What a field produces. */
export function partOf({ spec }: SpecContext, raw: RawResource, name: string): Part {
  const field = raw.fields.get(name);
  return field === undefined ? {} : expand(name, field, { spec, resource: raw });
}

export function subjectOf({ project }: SpecContext, name: string): Subject {
  const subject = project.byName.get(name);
  if (subject === undefined) throw new Error(`there is no resource ${name}`);
  return subject;
}

export function resourceOf({ model }: SpecContext, name: string): Resource {
  const resource = model.resources.find((one) => one.name === name);
  if (resource === undefined) throw new Error(`the model has no resource ${name}`);
  return resource;
}
