// An operation of the document: its description and its promises.

import type { OperationPromises } from '../../model/promises.js';
import { errorsByStatus } from './errors.js';
import { component, type Fragment } from './fragment.js';

/** An operation with its path and method. */
export interface PathOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Fragment;
}

/** The contents of an operation besides its promises. */
export interface OperationContent {
  /** Tags, operationId, summary, description. */
  readonly [text: string]: unknown;
  /** The parameters that it does not share with other operations. */
  readonly parameters?: readonly Fragment[];
  readonly body?: Fragment;
  /** By status, without errors. */
  readonly responses: Fragment;
}

/** @returns the operation with its session, its parameters and its errors */
export function operation(
  promises: OperationPromises,
  { parameters, body, responses, ...texts }: OperationContent,
): Fragment {
  return {
    ...texts,
    ...promisedParts(promises, parameters),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...responses, ...errorsByStatus(promises.errors) },
  };
}

/** Session and parameters of an operation. @param own the parameters that it does not share with others */
export function promisedParts(
  { session, takesToken, parameters }: OperationPromises,
  own: readonly Fragment[] = [],
): Fragment {
  const all = [...parameters.map((one) => component('parameters', one)), ...own];
  return {
    security: takesToken ? WITH_TOKEN[session] : SECURITY[session],
    ...(all.length === 0 ? {} : { parameters: all }),
  };
}

/** Whether an operation needs a session, accepts one, or neither. */
const SECURITY = {
  required: [{ bearer: [] }],
  // The session comes first, since some programs use only the first entry.
  optional: [{ bearer: [] }, {}],
  none: [],
} as const;

const WITH_TOKEN = {
  required: [...SECURITY.required, { token: [] }],
  optional: [{ bearer: [] }, { token: [] }, {}],
  none: [],
} as const;
