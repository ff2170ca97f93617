// What administrators read about web hooks and do to them over HTTP (D48): the same as on the operators' pages and by commands,
// with the same entries in the audit log. Nobody else learns whether a hook exists.

import type { OperatorChange } from '../contract/audit.js';
import type { AnyDefinition, Method, ParameterKind } from '../contract/definition.js';
import { DELIVERY_STATES, type DeliveryState } from '../contract/delivery-states.js';
import { type Failure, refusal, ServiceError, throwAll } from '../contract/errors.js';
import { isPlacedWith } from '../contract/ids.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Profile } from '../http/profiles.js';
import type { Route, RouteRequest } from '../http/routes.js';
import { withIgnored } from '../operations/change.js';
import { unknownNames } from '../operations/service.js';
import { coerce } from '../operations/validate.js';
import type { Outbox } from '../store/outbox.js';
import type { Caller } from '../store/records.js';
import { deliveryJson, messageJson } from './delivery-report.js';

export interface HookRoutesContext {
  /** The resource whose records are the hooks. */
  readonly definition: AnyDefinition;
  readonly hooks: Pick<Outbox, 'hook' | 'deliveries' | 'message' | 'pause' | 'retry'>;
  readonly profile: Pick<Profile, 'formatDate' | 'formatBoolean'>;
  /** The name of the user who calls, for the audit log. */
  nameOf(caller: Caller & { readonly user: string }): MaybePromise<string>;
}

/** `GET /api/webhook/<id>/deliveries` and `message`, `POST /api/webhook/<id>/retry`, `pause` and `resume`. */
export function createHookRoutes(context: HookRoutesContext): readonly Route[] {
  return [
    route(context, 'GET', { name: 'deliveries', takes: ['state', '_cursor', '_items_per_page'], run: deliveries }),
    route(context, 'GET', { name: 'message', takes: ['delivery_id'], run: message }),
    route(context, 'POST', { name: 'retry', takes: ['delivery_id', 'since'], run: retry }),
    route(context, 'POST', { name: 'pause', takes: [], run: (call) => pause(call, true) }),
    route(context, 'POST', { name: 'resume', takes: [], run: (call) => pause(call, false) }),
  ];
}

interface HookCall extends HookRoutesContext {
  /** Id of the hook. */
  readonly hook: string;
  readonly parameters: Sent;
  /** Who makes a change, and when: for the audit log. */
  change(): Promise<OperatorChange>;
}

interface HookAction {
  /** The last segment of the path. */
  readonly name: string;
  /** Names of its parameters. */
  readonly takes: readonly string[];
  /** @returns the body of the answer */
  run(call: HookCall): Promise<unknown>;
}

function route(context: HookRoutesContext, method: Method, { name, takes, run }: HookAction): Route {
  const { definition } = context;
  const labels = { resource: definition.name, operation: name, definition: null, of: definition, upload: null };
  return {
    ...{ method, base: `/api/${definition.name}`, withId: true, tail: name, ...labels },
    async run(request) {
      const { id: hook, parameters, now } = request;
      const caller = administrator(context, request);
      const change = async () => ({ author: { user: caller.user, name: await context.nameOf(caller) }, now });
      const ignored = unknownNames(parameters, takes);
      try {
        const result = await run({ ...context, hook, parameters: new Sent(parameters), change });
        return { status: 200, body: JSON.stringify(result), ignored };
      } catch (error) {
        throw withIgnored(error, ignored);
      }
    },
  };
}

function administrator({ definition }: HookRoutesContext, { caller }: RouteRequest): Caller & { user: string } {
  const { user, admin } = caller;
  if (user === null) throw refusal(definition, 'login_required');
  if (!admin) throw refusal(definition, 'forbidden');
  return { ...caller, user };
}

/** Deliveries per page, as in lists (D23). */
const [SIZE, MAX_SIZE] = [25, 100];

/** Newest first; also for a deleted hook, as long as its deliveries are kept. */
async function deliveries({ hooks, hook, parameters, profile, definition }: HookCall) {
  const state = parameters.value('state', 'text') as DeliveryState | null;
  if (state !== null && !DELIVERY_STATES.includes(state))
    parameters.refuse('state', `must be one of: ${DELIVERY_STATES.join(', ')}.`);
  const size = parameters.value('_items_per_page', 'integer') ?? SIZE;
  if (typeof size !== 'number' || size < 1 || size > MAX_SIZE)
    parameters.refuse('_items_per_page', `must be between 1 and ${MAX_SIZE}.`);
  const after = parameters.value('_cursor', 'text') as string | null;
  if (after !== null && !isPlacedWith(after, hook)) parameters.refuse('_cursor', 'does not come from this list.');
  parameters.check();
  const states = state === null ? null : [state];
  const limit = Number(size);
  const { items, next } = await hooks.deliveries(hook, { states, after, limit });
  if (items.length === 0 && !(await isKnown(hooks, hook))) throw refusal(definition, 'not_found');
  return {
    paging: { items_per_page: limit, next_cursor: next },
    items: items.map((one) => deliveryJson(one, profile)),
  };
}

async function isKnown(hooks: HookRoutesContext['hooks'], hook: string): Promise<boolean> {
  if ((await hooks.hook(hook)) !== null) return true;
  return (await hooks.deliveries(hook, { states: null, after: null, limit: 1 })).items.length > 0;
}

async function message({ hooks, hook, parameters, profile }: HookCall) {
  const delivery = parameters.value('delivery_id', 'text');
  if (delivery === null) parameters.refuse('delivery_id', 'is required.', 'required');
  parameters.check();
  const report = await hooks.message(hook, String(delivery));
  if (report === null) throw new ServiceError('not_found', 'There is no such delivery, or it is no longer kept.');
  return messageJson(report, profile);
}

async function retry({ hooks, hook, parameters, change }: HookCall) {
  const delivery = parameters.value('delivery_id', 'text');
  const since = parameters.value('since', 'date');
  if (delivery !== null && since !== null) parameters.refuse('since', 'cannot be sent together with delivery_id.');
  parameters.check();
  const which =
    delivery === null ? { since: since === null ? 0 : Date.parse(String(since)) } : { delivery: String(delivery) };
  return { retried: await hooks.retry(hook, which, await change()) };
}

async function pause({ hooks, hook, change }: HookCall, on: boolean) {
  await hooks.pause(hook, on, await change());
  return { success: 1 };
}

/** Parameters as they were sent, and what is wrong with them. */
class Sent {
  readonly #failures: Failure[] = [];

  constructor(private readonly parameters: RouteRequest['parameters']) {}

  /** Null: not sent, or reported. */
  value(name: string, kind: ParameterKind): unknown {
    const coerced = coerce(kind, this.parameters[name] ?? null);
    if (coerced.ok) return coerced.value === '' ? null : coerced.value;
    this.refuse(name, coerced.problem);
    return null;
  }

  refuse(name: string, problem: string, code: Failure['code'] = 'invalid'): void {
    this.#failures.push({ field: name, code, message: `${name} ${problem}` });
  }

  /** Throws everything that is wrong. */
  check(): void {
    throwAll(this.#failures);
  }
}
