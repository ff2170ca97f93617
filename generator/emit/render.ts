// Turns the model into outputs: every row of the table of outputs, as text in memory.

import { memoizeByObject } from '../memoize.js';
import type { Model, Resource } from '../model/model.js';
import { type Method, methodsOf } from './client/methods.js';
import type { Output } from './output.js';
import { CLIENT_OUTPUTS, MODEL_OUTPUTS, type OutputContext, RESOURCE_OUTPUTS, VERSION_OUTPUTS } from './outputs.js';
import type { Remember } from './validators.js';

/** After an edit, only the outputs of changed resources are rendered again. */
const ofResource = memoizeByObject(
  (resource: Resource, kit: string, isOwn: boolean, remember: Remember): readonly Output[] =>
    RESOURCE_OUTPUTS.map(({ path, text }) => ({
      path: path.replace('*', resource.name),
      text: text(resource, { kit, isOwn, remember }),
    })),
);

const ofClient = memoizeByObject((resource: Resource, ...methods: readonly Method[]): readonly Output[] =>
  CLIENT_OUTPUTS.map(({ path, text }) => ({ path: path.replace('*', resource.name), text: text(resource, methods) })),
);

/** @returns every output, sorted by path */
export function render(model: Model, around: OutputContext): readonly Output[] {
  const { kit, isOwn, remember } = around;
  const methods = methodsOf(model);
  const outputs = [
    ...model.resources.flatMap((resource) => ofResource(resource, kit, isOwn, remember)),
    ...model.resources.flatMap((resource) => ofClient(resource, ...(methods.get(resource.name) ?? []))),
    ...around.versions.flatMap((shape) =>
      VERSION_OUTPUTS.map(({ path, text }) => ({ path: path.replace('*', shape.version), text: text(shape, model) })),
    ),
    ...MODEL_OUTPUTS.filter(({ isWanted }) => isWanted?.(model) ?? true).map(({ path, text }) => ({
      path,
      text: text(model, around),
    })),
  ];
  return outputs.sort((a, b) => (a.path < b.path ? -1 : 1));
}
