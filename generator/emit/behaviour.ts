// The template's view of what must be written by hand: lifecycle functions and actions that descriptors declare.

import type { Lifecycle } from '../../runtime/definition.js';
import { isByHand } from '../model/find.js';
import type { Model, Resource } from '../model/model.js';
import { type EventTypes, eventTypes } from './event-types.js';
import { comment, pascalCase, property } from './typescript.js';

export interface BehaviourView extends EventTypes {
  readonly kit: string;
  readonly imports: string;
  readonly typeImports: readonly { readonly types: string; readonly module: string }[];
  readonly lifecycles: readonly { readonly name: string; readonly steps: readonly Step[] }[];
  readonly actions: readonly {
    readonly name: string;
    readonly actions: readonly {
      readonly key: string;
      readonly title: string;
      readonly type: string;
      readonly row: string;
    }[];
  }[];
}

interface Step {
  readonly step: Lifecycle;
  readonly type: string;
  readonly old: string;
  readonly row: string;
}

/** @returns the interfaces of all resources except those that a hand-written module serves entirely */
export function behaviourView(model: Model, kit: string): BehaviourView {
  const ours = model.resources.filter(({ servedBy }) => servedBy === null).map(handwritten);
  const alive = ours.filter(({ lifecycle }) => lifecycle.length > 0);
  const active = ours.filter(({ actions }) => actions.length > 0);
  return {
    kit,
    ...eventTypes(model),
    imports: alive.length + active.length > 0 ? 'Consequence' : '',
    typeImports: ours.map(typesOf).filter(({ types }) => types !== ''),
    lifecycles: alive.map((resource) => ({ name: property(resource.name), steps: steps(resource) })),
    actions: active.map(({ name, actions }) => ({
      name: property(name),
      actions: actions.map((action) => ({
        key: property(action.name),
        title: comment(action.title),
        type: pascalCase(name) + pascalCase(action.name),
        row: `${pascalCase(name)}Row`,
      })),
    })),
  };
}

/** Without the actions that the descriptor describes whole. */
function handwritten(resource: Resource): Resource {
  return { ...resource, actions: resource.actions.filter(isByHand) };
}

function typesOf({ name, lifecycle, actions }: Resource): { types: string; module: string } {
  const types = [
    ...actions.map((action) => pascalCase(name) + pascalCase(action.name)),
    ...(lifecycle.length + actions.length > 0 ? [`${pascalCase(name)}Row`] : []),
  ];
  return { types: types.sort().join(', '), module: name };
}

function steps({ name, lifecycle }: Resource): readonly Step[] {
  const type = `${pascalCase(name)}Row`;
  return lifecycle.map((step) => ({
    step,
    type,
    old: step.endsWith('Create') ? 'null' : type,
    row: step.endsWith('Delete') ? 'null' : type,
  }));
}
