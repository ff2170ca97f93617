// The rules that hand-written modules add to descriptors, by module: the name in `served_by`, or that of the resource of API
// keys. No other file of this folder contains code for a particular module.
import { API_KEYS } from '../../runtime/contract/needs.js';
import type { Facts } from './facts.js';
import type { Person, SentParameters } from './service.js';
import type { World } from './world.js';

interface Module {
  /** Completes parameters that depend on each other; each of `values` is valid by itself. */
  complete(world: World, facts: Facts, values: SentParameters, holder: Person): Promise<SentParameters>;
  /** Parameters that the module checks by rules of its own, with the reason. */
  readonly checked: Readonly<Record<string, string>>;
}

const VERSIONS = 'there are as many versions as were cut (tests/versions)';

const WEB_HOOKS: Module = {
  async complete(world, { fields }, values, holder) {
    const [first] = Object.entries(world.project.events);
    if (first === undefined) return values;
    const [event, { ownerClass, owner }] = first;
    const { id } = await world.home(owner, holder);
    const { to = '' } = fields.api_key ?? {};
    const { api_version: _, ...free } = values;
    return { ...free, event, owner_class: ownerClass, owner_id: id, api_key_id: (await world.home(to, holder)).id };
  },
  checked: {
    event: 'event, owner_class and owner_id hang together (tests/webhooks)',
    owner_class: 'event, owner_class and owner_id hang together (tests/webhooks)',
    owner_id: 'event, owner_class and owner_id hang together (tests/webhooks)',
    api_key_id: 'without a key the module takes that of the session (S14)',
    api_version: VERSIONS,
  },
};

const KEYS: Module = {
  complete: async (_world, _facts, { api_version: _, ...values }) => values,
  checked: { api_version: VERSIONS },
};

const MODULES: ReadonlyMap<string, Module> = new Map([
  ['webhooks', WEB_HOOKS],
  [API_KEYS, KEYS],
]);

function moduleOf({ served_by, resource }: Facts): Module | undefined {
  return MODULES.get(served_by ?? resource);
}

/** The values as the module behind the resource accepts them; without a module, they stay as they are. */
export async function completeByModule(
  world: World,
  facts: Facts,
  values: SentParameters,
  holder: Person,
): Promise<SentParameters> {
  return moduleOf(facts)?.complete(world, facts, values, holder) ?? values;
}

/** Why the descriptor alone does not say which values of the parameter are valid; null: it does. */
export function checkedByModule(facts: Facts, parameter: string): string | null {
  return moduleOf(facts)?.checked[parameter] ?? null;
}
