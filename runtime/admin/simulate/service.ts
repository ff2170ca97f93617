// The real engine on a database in memory, without any network: for simulations and tests.

import type { Behaviours } from '../../contract/behaviour.js';
import type { AnyDefinition, EventDefinition, Input, Validator } from '../../contract/definition.js';
import { createIds, type Random } from '../../contract/ids.js';
import { PROFILES } from '../../http/profiles.js';
import { hookBehaviours } from '../../rules/hooks.js';
import { type GeneratedService, principalOf } from '../../server/load-generated.js';
import type { Engine, EngineOptions } from '../../store/engine.js';
import { openEngine } from '../../store/open-engine.js';
import type { Outbox } from '../../store/outbox.js';

export interface SimulatedOptions extends Pick<EngineOptions, 'decide'> {
  /** Milliseconds of one step of the retry delay. */
  readonly unit: number;
  readonly random: Random;
  /** Lifecycle functions besides the hook's own. */
  readonly behaviours?: Behaviours;
}

/** No outcome depends on what a payload contains, so any payload is accepted. */
const ANY_PAYLOAD: Validator = Object.assign(() => true, { errors: null });

/** Name of the one server of a simulation. */
export const SERVER = 'simulation';

export interface SimulatedService {
  readonly engine: Engine;
  readonly outbox: Outbox;
  definition(name: string): AnyDefinition;
  event(name: string): EventDefinition;
  /** Creates a record as `user`, or as an administrator, and returns its id. Input is assumed to be valid. */
  create(resource: string, input: Input, by: { readonly user: string | null; readonly now: number }): Promise<string>;
}

/** @param now epoch milliseconds */
export async function openSimulatedService(
  loaded: GeneratedService,
  options: SimulatedOptions,
  now: number,
): Promise<SimulatedService> {
  const { definitions } = loaded.generated;
  const definition = (name: string): AnyDefinition => {
    const match = definitions.find((each) => each.name === name);
    if (match === undefined) throw new Error(`there is no definition of ${name}`);
    return match;
  };
  const engine = await openEngine(engineOptions(loaded, options), now);
  const { records, outbox } = engine;
  if (outbox === null) throw new Error('there are no web hooks in what was generated');
  return {
    engine,
    outbox,
    definition,
    event: (name) => loaded.generated.events[name] as EventDefinition,
    async create(resource, input, { user, now: created }) {
      const caller = { user, admin: user === null };
      return (await records.create({ resource, caller, input, failures: [], now: created, upload: null })).id;
    },
  };
}

function engineOptions(
  { generated, schema }: GeneratedService,
  { unit, random, behaviours, decide }: SimulatedOptions,
): EngineOptions {
  const { definitions, events } = generated;
  return {
    database: null,
    server: SERVER,
    schema,
    migrate: 'safe',
    definitions,
    events: Object.fromEntries(
      Object.entries(events).map(([name, event]) => [name, { ...event, validate: ANY_PAYLOAD }]),
    ),
    principal: principalOf(generated),
    apiKeys: null,
    profile: PROFILES.plain,
    behaviours: { ...behaviours, ...hookBehaviours },
    actions: {},
    decide,
    retryUnit: unit,
    ids: createIds(random),
    random,
  };
}
