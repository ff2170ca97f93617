// A spec with everything derived from it and the place of each part, which the explanations look up; and how they are printed:
// places with their lines, rows in two columns.

import type { Project, SpecSource } from '../../check/project.js';
import { keyLocations, type Subject } from '../../check/subject.js';
import type { YamlPosition } from '../../diagnostics/diagnostic.js';
import { excerpt, position } from '../../diagnostics/print.js';
import type { RawResource, RawSpec } from '../../language/language.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Document, Pointer } from '../../load/load.js';
import type { FieldParts } from '../../model/kinds/kind.js';
import { expand } from '../../model/kinds/kinds.js';
import type { Model, Resource } from '../../model/model.js';
import type { CleanSpec } from '../command.js';
import { allRoutes, type ResourceRoute } from './routes.js';

export interface SpecContext {
  readonly documents: readonly Document[];
  readonly texts: ReadonlyMap<string, string>;
  readonly project: Project;
  readonly spec: RawSpec;
  readonly ledger: Ledger;
  readonly model: Model;
  readonly routes: readonly ResourceRoute[];
  readonly kit: string;
  /** The path of a descriptor as the user names it. */
  pathOf(path: string): string;
}

/** A compiled spec with what is derived from it. */
export function openSpecContext(
  { documents, project, spec, ledger, model }: CleanSpec,
  { files }: SpecSource,
  { kit, pathOf }: Pick<SpecContext, 'kit' | 'pathOf'>,
): SpecContext {
  return {
    documents,
    texts: new Map(files.map(({ path, text }) => [path, text])),
    project,
    spec,
    ledger,
    model,
    routes: allRoutes(model, spec),
    kit,
    pathOf,
  };
}

/** A key of a descriptor, in its own file or in a convention. */
export interface LocatedKey {
  readonly pointer: Pointer;
  readonly place: YamlPosition;
}

/** The places of a key of a resource: in its own file, which comes first, and in its conventions. */
export function locatedKeys(subject: Subject, pointer: Pointer): readonly LocatedKey[] {
  const { document } = subject;
  // A descriptor that does not state its name is identified by its file.
  if (pointer[0] === 'resource' && !document.has(pointer)) return [{ pointer, place: document.locate([]) }];
  return keyLocations(subject, pointer).map((one) => ({
    pointer: one.pointer,
    place: one.document.locate(one.pointer, 'key'),
  }));
}

/** `spec/resources/x.yaml:15:3` */
export function locationText({ texts, pathOf }: SpecContext, { path, start }: YamlPosition): string {
  const { line, column } = position(texts.get(path) ?? '', start);
  return `${pathOf(path)}:${line}:${column}`;
}

/** What a field expands to. */
export function partOf({ spec }: SpecContext, raw: RawResource, name: string): FieldParts {
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

/** An explanation, or the reason why there is none. */
export type Explanation = { readonly text: string } | { readonly unknown: string };

/** A label and its text; rows without text are left out. */
export type Row = readonly [label: string, text: string];

/** The place of a key, its path and its line. */
export function keyText(context: SpecContext, key: LocatedKey): string {
  const text = context.texts.get(key.place.path) ?? '';
  return `${locationText(context, key.place)}: ${key.pointer.join('.')}\n${excerpt(key.place, text)}\n`;
}

/** Rows in two columns. */
export function rows(all: readonly Row[]): string {
  const visible = all.filter(([, text]) => text !== '');
  const width = Math.max(0, ...visible.map(([label]) => label.length));
  return visible.map(([label, text]) => `${label.padEnd(width)}  ${text}\n`).join('');
}

/** Joins the parts of an answer with empty lines. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** `; did you mean "x"?`, or nothing. */
export function didYouMean(suggestion: string | null): string {
  return suggestion === null ? '' : `; did you mean "${suggestion}"?`;
}
