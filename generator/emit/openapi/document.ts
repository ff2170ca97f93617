// generated/openapi.json: the whole service as an OpenAPI 3.1 document, derived from the model alone.

import { type ResourceLookup, resourceLookup } from '../../model/find.js';
import type { Model, ModelEvent } from '../../model/model.js';
import { hasTokens } from '../../model/promises.js';
import { Printed, printJson } from '../print.js';
import { callbackSchemas, callbacks, hasStandardFormat } from './callbacks.js';
import { catalogueOperations, catalogueParameters, catalogueSchemas } from './catalogue.js';
import { deprecationHeaders } from './deprecations.js';
import { errorResponses, errorSchemas } from './errors.js';
import type { Fragment, Section } from './fragment.js';
import { info, SERVERS, tagGroups, tags } from './info.js';
import { sharedParameters } from './parameters.js';
import {
  type Component,
  collectPaths,
  componentsOf,
  operationPart,
  type Paths,
  type Piece,
  piece,
  referenced,
  refsIn,
} from './pieces.js';
import {
  headers,
  SECURITY_SCHEMES,
  SECURITY_SCHEMES_WITH_TOKENS,
  sharedSchemas,
  successResponse,
} from './responses.js';
import { serviceOperations, serviceSchemas } from './service.js';

/**
 * @param model the resolved descriptors
 * @param events what web hooks can subscribe to; by default the events of the model
 * @returns the text of the document of the `plain` profile; its order depends only on the model
 */
export function openapiText(model: Model, events: readonly ModelEvent[] = model.events): string {
  const pieces = model.resources.map((resource) => piece(resource, resourceLookup(model)));
  const paths = collectPaths([
    ...pieces.flatMap(({ own }) => own),
    ...pieces.flatMap(({ aliases }) => aliases),
    ...[...catalogueOperations(model), ...serviceOperations(model)].map(operationPart),
  ]);
  const operations = [...paths.values()].flatMap((item) => [...item.values()]);
  const webhooks = callbacks(events, hasStandardFormat(model.resources));
  const used = new Set([...operations.flatMap((one) => one.tags), ...tagsOf(Object.values(webhooks))]);
  const allTags = tags(model, used);
  const ofService = allTags.slice(model.resources.length).map(({ name }) => String(name));
  const roots = [...operations.flatMap((one) => one.refs), ...refsIn(printJson(webhooks))];
  return printJson({
    openapi: '3.1.0',
    info: info(model),
    servers: SERVERS,
    tags: allTags,
    'x-tagGroups': tagGroups(model, ofService),
    paths: pathsObject(paths),
    ...(events.length === 0 ? {} : { webhooks }),
    components: componentsObject(referenced(components({ ...model, events }, pieces), roots), resourceLookup(model)),
  });
}

function components(model: Model, pieces: readonly Piece[]): readonly Component[] {
  return [
    ...componentsOf('parameters', { ...sharedParameters(), ...catalogueParameters(model) }),
    ...pieces.flatMap((one) => one.components),
    ...componentsOf('schemas', {
      ...callbackSchemas(model.events),
      ...catalogueSchemas(model),
      ...serviceSchemas(),
      ...sharedSchemas(),
      ...errorSchemas(),
    }),
    ...componentsOf('responses', { ...successResponse(), ...errorResponses(deprecationHeaders(model)) }),
    ...componentsOf('headers', headers()),
  ];
}

function tagsOf(items: readonly unknown[]): readonly string[] {
  const operations = items.flatMap((item) => Object.values(item as Record<string, { tags: readonly string[] }>));
  return operations.flatMap((operation) => operation.tags);
}

function pathsObject(paths: Paths): Fragment {
  const items = [...paths].map(([path, item]) => {
    const operations = [...item].map(([method, { text }]) => [method, new Printed(text)] as const);
    return [path, Object.fromEntries(operations)] as const;
  });
  return Object.fromEntries(items);
}

const SECTIONS: readonly Section[] = ['schemas', 'parameters', 'responses', 'headers', 'examples'];

function componentsObject(all: readonly Component[], others: ResourceLookup): Fragment {
  const sections = SECTIONS.map((section) => {
    const entries = all
      .filter((one) => one.section === section)
      .map(({ name, text }) => [name, new Printed(text)] as const);
    return [section, Object.fromEntries(entries)] as const;
  });
  return {
    ...Object.fromEntries(sections),
    securitySchemes: hasTokens(others) ? SECURITY_SCHEMES_WITH_TOKENS : SECURITY_SCHEMES,
  };
}
