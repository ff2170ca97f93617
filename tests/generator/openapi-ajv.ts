// ajv for draft 2020-12, which OpenAPI 3.1 is built on, with the whole API document behind its references.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from './openapi-document.js';

/** Strict, except for what the language allows: types as lists, and properties that are required before they are described. */
export function ajv(document: OpenApi): Ajv2020 {
  const instance = new Ajv2020({ strictTypes: false, strictRequired: false, allErrors: true });
  addFormats.default(instance);
  instance.addFormat('password', true);
  instance.addFormat('binary', true);
  instance.addKeyword('components');
  instance.addKeyword('x-extensible-enum');
  instance.addSchema({ $id: 'openapi.json', components: document.components });
  return instance;
}

/** A reference to a schema of the document, or to one of its properties. */
export function at(schema: string, property?: string): { readonly $ref: string } {
  const inside = property === undefined ? '' : `/properties/${property}`;
  return { $ref: `openapi.json#/components/schemas/${schema}${inside}` };
}
