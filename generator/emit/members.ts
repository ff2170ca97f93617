// The lines of a resource's file that hold one member each: properties, parameters, columns, settings.

import type { Action, Column, Parameter, Property, Resource } from '../model/model.js';
import { createCode, parameterType, propertyType, rowType, updateCode } from './row-code.js';
import { comment, literal, object, pascalCase, property, type TypeOrValues } from './typescript.js';

export interface Member {
  readonly name: string;
  /** `?` or nothing. */
  readonly optional: string;
  readonly type: string;
  readonly comment: string;
}

export interface ColumnView {
  readonly name: string;
  readonly type: string;
  /** How it is stored, as code of the definition. */
  readonly stored: string;
  readonly create: string;
  readonly update: string;
}

export interface Setting {
  readonly name: string;
  readonly value: string;
}

export interface ActionView {
  readonly key: string;
  readonly title: string;
  readonly by: string;
  readonly pascal: string;
  readonly validator: string;
  readonly parameters: readonly Member[];
  readonly settings: readonly Setting[];
  /** The stored values that it sets, as code; empty: none. */
  readonly sets: string;
  /** What says that it copies the record, as code; empty: it does not. */
  readonly copies: string;
}

/** A type as text; a union that has a name by that. */
export type Rename = (type: TypeOrValues) => string;

export function recordMember(shown: Property, { references }: Resource, rename: Rename): Member {
  const optional = shown.view !== null || shown.whenSet;
  const type = rename(propertyType(shown, references)) + (shown.nullable ? ' | null' : '');
  return { name: property(shown.name), optional: optional ? '?' : '', type, comment: comment(shown.description) };
}

/** The parameters of a create; an old password is sent only with an update. */
export function takenByCreate(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(({ proves }) => proves === undefined);
}

export function createMember(sent: Parameter, rename: Rename): Member {
  return {
    name: property(sent.name),
    optional: sent.requiredOnCreate ? '' : '?',
    type: rename(parameterType(sent)),
    comment: '',
  };
}

export function updateMember(sent: Parameter, rename: Rename): Member {
  const type = rename(parameterType(sent)) + (sent.requiredOnCreate ? '' : ' | null');
  return { name: property(sent.name), optional: sent.requiredOnUpdate ? '' : '?', type, comment: '' };
}

export function columnViews(columns: readonly Column[], rename: Rename): readonly ColumnView[] {
  return columns.map((column) => ({
    name: property(column.name),
    type: rename(rowType(column)) + (column.nullable || column.copies ? ' | null' : ''),
    stored: object({
      type: column.storage,
      ...(column.copies ? { copies: column.copies } : {}),
      ...(column.check?.rule === 'choice' && column.write.by === 'service'
        ? { values: column.check.names.map((one) => one.name) }
        : {}),
    }),
    create: createCode(column),
    update: updateCode(column),
  }));
}

export function setting(sent: Parameter): Setting {
  const value = {
    kind: sent.kind,
    ...(sent.set ? { set: sent.set } : {}),
    ...(sent.nullable ? { nullable: true } : {}),
    ...(sent.proves ? { proves: sent.proves } : {}),
  };
  return { name: property(sent.name), value: object(value) };
}

/** How a property gets its value and who sees it, as code of the definition. */
export function propertySetting({ name, source, view, whenSet }: Property): Setting {
  const value = { ...source, ...(view === null ? {} : { view }), ...(whenSet ? { whenSet } : {}) };
  return { name: property(name), value: object(value) };
}

export function actionView(action: Action, pascal: string, rename: Rename): ActionView {
  return {
    key: property(action.name),
    title: comment(action.title),
    by: literal(action.by),
    pascal: pascal + pascalCase(action.name),
    validator: `${action.name}Action`,
    parameters: action.parameters.map((sent) => createMember(sent, rename)),
    settings: action.parameters.map(setting),
    sets: action.sets === null ? '' : object(action.sets),
    copies: action.copies === null ? '' : object(action.copies),
  };
}
