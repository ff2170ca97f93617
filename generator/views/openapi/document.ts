// generated/openapi.json: the whole service as an OpenAPI 3.1 document, from the model alone. Says nothing the model does not.

import type { Model, ModelEvent } from '../../model.js';
import { callbackSchemas, callbacks } from './callbacks.js';
import { errorResponses, errorSchemas } from './errors.js';
import { allRequestExamples } from './examples.js';
import type { Fragment } from './fragment.js';
import { info, SERVERS, tags } from './info.js';
import { listParameters, sharedParameters } from './parameters.js';
import { paths } from './paths.js';
import { recordSchemas } from './records.js';
import { referenced } from './referenced.js';
import { requestSchemas } from './requests.js';
import { headers, SECURITY_SCHEMES, sharedSchemas, successResponse } from './responses.js';
import { serviceSchemas } from './service.js';

/**
 * @param model the resolved descriptors
 * @param events what web hooks can subscribe to; those of the model unless given
 * @returns the document of the `plain` profile; the same model gives the same order of everything
 */
export function openapiDocument(model: Model, events: readonly ModelEvent[] = model.events): Fragment {
  const described = paths(model);
  const webhooks = callbacks(events);
  return {
    openapi: '3.1.0',
    info: info(model),
    servers: SERVERS,
    tags: tags(model, usedTags([...Object.values(described), ...Object.values(webhooks)])),
    paths: described,
    ...(events.length === 0 ? {} : { webhooks }),
    components: {
      ...referenced(components(model, events), { described, webhooks }),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function components(model: Model, events: readonly ModelEvent[]): Readonly<Record<string, Fragment>> {
  const { resources } = model;
  const examples = resources.flatMap(allRequestExamples);
  return {
    schemas: {
      ...merged(resources.map((resource) => ({ ...recordSchemas(resource, model), ...requestSchemas(resource) }))),
      ...callbackSchemas(events),
      ...serviceSchemas(model),
      ...sharedSchemas(),
      ...errorSchemas(),
    },
    parameters: { ...sharedParameters(), ...merged(resources.map(listParameters)) },
    responses: { ...successResponse(), ...errorResponses() },
    headers: headers(),
    examples: Object.fromEntries(examples.map(({ name, summary, value }) => [name, { summary, value }])),
  };
}

function merged(fragments: readonly Fragment[]): Fragment {
  return Object.assign({}, ...fragments) as Fragment;
}

function usedTags(items: readonly unknown[]): ReadonlySet<string> {
  const operations = items.flatMap((item) => Object.values(item as Record<string, { tags: readonly string[] }>));
  return new Set(operations.flatMap((operation) => operation.tags));
}
