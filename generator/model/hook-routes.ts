// What administrators read of web hooks and do to them (D48): routes that the service brings for the resource whose records
// are the hooks, below its records and beside those of its descriptor.

import { ID_EXAMPLE } from './kinds/record-id.js';
import type { JsonSchema, Resource } from './model.js';

export interface HookRoute {
  /** The last segment of the path, and the method of the client. */
  readonly name: string;
  readonly method: 'get' | 'post';
  readonly summary: string;
  readonly description: string;
  /** By name; those of a page are not among them. */
  readonly parameters: Readonly<Record<string, HookParameter>>;
  /** The component with the schema of the answer, or of each item if it is a page. */
  readonly answers: '_delivery' | '_message' | '_retried' | '_success';
  readonly isPage: boolean;
}

export interface HookParameter {
  readonly schema: JsonSchema;
  readonly description: string;
  readonly required?: true;
  readonly example: string;
}

export const DELIVERY_STATES = ['waiting', 'held', 'in_flight', 'delivered', 'cancelled', 'given_up'];

const ONE: HookParameter = { schema: { type: 'string' }, description: 'Id of the delivery.', example: ID_EXAMPLE };

export const HOOK_ROUTES: readonly HookRoute[] = [
  {
    name: 'deliveries',
    method: 'get',
    summary: 'List the deliveries of a web hook',
    description: 'Newest first, for as long as they are kept; those of a deleted web hook as well.',
    parameters: {
      state: {
        schema: { type: 'string', enum: DELIVERY_STATES },
        description: 'Only deliveries in this state.',
        example: 'held',
      },
    },
    answers: '_delivery',
    isPage: true,
  },
  {
    name: 'message',
    method: 'get',
    summary: 'Get a delivery of a web hook',
    description: 'Its message, its attempts, and the beginning of each answer.',
    parameters: { delivery_id: { ...ONE, required: true } },
    answers: '_message',
    isPage: false,
  },
  {
    name: 'retry',
    method: 'post',
    summary: 'Retry what a web hook has not delivered',
    description:
      'Deliveries that are waiting, held, or cancelled with their web hook are attempted now, with the same Delivery-Id. What was delivered is never sent again.',
    parameters: {
      since: {
        schema: { type: 'string', format: 'date-time' },
        description: 'Only deliveries created since then; cannot be combined with `delivery_id`.',
        example: '2030-01-31T12:00:00.000Z',
      },
      delivery_id: { ...ONE, description: 'Id of the only delivery to retry.' },
    },
    answers: '_retried',
    isPage: false,
  },
  {
    name: 'pause',
    method: 'post',
    summary: 'Pause a web hook',
    description: 'Nothing is attempted until it is resumed, and nothing is lost.',
    parameters: {},
    answers: '_success',
    isPage: false,
  },
  {
    name: 'resume',
    method: 'post',
    summary: 'Resume a web hook',
    description: 'Deliveries are attempted again.',
    parameters: {},
    answers: '_success',
    isPage: false,
  },
];

/** Whether the resource is that of web hooks. */
export function hasHookRoutes({ servedBy }: Pick<Resource, 'servedBy'>): boolean {
  return servedBy === 'webhooks';
}
