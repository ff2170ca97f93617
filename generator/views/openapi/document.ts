// generated/openapi.json: the whole service as an OpenAPI 3.1 document, from the model alone. Says nothing the model does not.

import type { Model, ModelEvent, Resource } from '../../model.js';
import { callbackSchemas, callbacks } from './callbacks.js';
import { announcedByErrors } from './endings.js';
import { errorResponses, errorSchemas } from './errors.js';
import type { Fragment, Section } from './fragment.js';
import { info, SERVERS, tags } from './info.js';
import { type Entry, jsonText, objectText } from './json-text.js';
import { neighbourhoods } from './nearby.js';
import { sharedParameters } from './parameters.js';
import { gathered, type Paths } from './paths.js';
import { type Component, componentsOf, operationPart, type Piece, piece, refsIn } from './pieces.js';
import { referenced } from './referenced.js';
import { headers, SECURITY_SCHEMES, sharedSchemas, successResponse } from './responses.js';
import { serviceOperations, serviceSchemas } from './service.js';

/** Makes the piece of a resource, or knows it from before. `near` is all that the piece depends on. */
export type Pieces = (resource: Resource, near: Model) => Piece;

/**
 * @param model the resolved descriptors
 * @param pieces where the pieces come from; made anew unless given
 * @returns the document of the `plain` profile as text; the same model gives the same order of everything
 */
export function openapiText(model: Model, pieces: Pieces = piece): string {
  const near = neighbourhoods(model);
  const all = model.resources.map((resource) => pieces(resource, near(resource)));
  const paths = gathered([
    ...all.flatMap(({ own }) => own),
    ...all.flatMap(({ aliases }) => aliases),
    ...serviceOperations(model).map(operationPart),
  ]);
  const operations = [...paths.values()].flatMap((item) => [...item.values()]);
  const webhooks = callbacks(model.events);
  const used = new Set([...operations.flatMap((one) => one.tags), ...tagsOf(Object.values(webhooks))]);
  const roots = [...operations.flatMap((one) => one.refs), ...refsIn(webhooks)];
  const members: readonly Entry[] = [
    ['openapi', jsonText('3.1.0', 1)],
    ['info', jsonText(info(model), 1)],
    ['servers', jsonText(SERVERS, 1)],
    ['tags', jsonText(tags(model, used), 1)],
    ['paths', pathsText(paths)],
    ...(model.events.length === 0 ? [] : [['webhooks', jsonText(webhooks, 1)] as const]),
    ['components', componentsText(referenced(components(model, all), roots))],
  ];
  return `${objectText(members, 1)}\n`;
}

/** The same as a value. @param events what web hooks can subscribe to; those of the model unless given */
export function openapiDocument(model: Model, events: readonly ModelEvent[] = model.events): Fragment {
  return JSON.parse(openapiText({ ...model, events })) as Fragment;
}

function components(model: Model, pieces: readonly Piece[]): readonly Component[] {
  return [
    ...componentsOf('parameters', sharedParameters()),
    ...pieces.flatMap((one) => one.components),
    ...componentsOf('schemas', {
      ...callbackSchemas(model.events),
      ...serviceSchemas(model),
      ...sharedSchemas(),
      ...errorSchemas(),
    }),
    ...componentsOf('responses', { ...successResponse(), ...errorResponses(announcedByErrors(model)) }),
    ...componentsOf('headers', headers()),
  ];
}

function tagsOf(items: readonly unknown[]): readonly string[] {
  const operations = items.flatMap((item) => Object.values(item as Record<string, { tags: readonly string[] }>));
  return operations.flatMap((operation) => operation.tags);
}

function pathsText(paths: Paths): string {
  const items = [...paths].map(([path, item]): Entry => {
    return [
      path,
      objectText(
        [...item].map(([method, { text }]): Entry => [method, text]),
        3,
      ),
    ];
  });
  return objectText(items, 2);
}

const SECTIONS: readonly Section[] = ['schemas', 'parameters', 'responses', 'headers', 'examples'];

function componentsText(all: readonly Component[]): string {
  const sections = SECTIONS.map((section): Entry => {
    const entries = all.filter((one) => one.section === section).map(({ name, text }): Entry => [name, text]);
    return [section, objectText(entries, 3)];
  });
  return objectText([...sections, ['securitySchemes', jsonText(SECURITY_SCHEMES, 2)]], 2);
}
