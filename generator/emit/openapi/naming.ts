// What an operation is called in the document.

import type { Resource } from '../../model/model.js';
import { pascalCase } from '../typescript.js';
import type { Fragment } from './fragment.js';

/** Tag, operationId and summary of an operation on `resource`. */
export function named(resource: Resource, operationId: string, summary: string): Fragment {
  return { tags: [resource.name], operationId, summary };
}

/** `two_sided_box` to `twoSidedBox`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}
