// What an API key may list as the resources that its token reaches: a slip would be a key that reaches nothing.

import type { Behaviour, Behaviours } from '../contract/behaviour.js';
import type { AnyDefinition, Row } from '../contract/definition.js';
import { failed } from '../contract/errors.js';

/** @param behaviours the functions that descriptors declare, which run too. @returns those of the resource of API keys */
export function keyBehaviours(
  apiKeys: AnyDefinition | null,
  definitions: readonly AnyDefinition[],
  behaviours: Behaviours,
): Behaviours {
  if (apiKeys?.token === undefined || apiKeys.parameters.resources === undefined) return {};
  const names = new Set(definitions.map(({ name }) => name).filter((name) => name !== apiKeys.name));
  const judging =
    (step: 'beforeCreate' | 'beforeUpdate', own: Behaviour = {}): NonNullable<Behaviour[typeof step]> =>
    (old, row, now) => {
      if (row !== null && row.resources !== old?.resources) judge(row, names);
      return own[step]?.(old, row, now);
    };
  const own = behaviours[apiKeys.name];
  const checking = { beforeCreate: judging('beforeCreate', own), beforeUpdate: judging('beforeUpdate', own) };
  return { [apiKeys.name]: { ...own, ...checking } };
}

function judge({ resources }: Row, names: ReadonlySet<string>): void {
  const listed = typeof resources === 'string' ? (JSON.parse(resources) as readonly string[]) : [];
  const unknown = listed.find((name) => !names.has(name));
  if (unknown === undefined) return;
  const message = `resources: there is no resource ${JSON.stringify(unknown)} that a token can reach.`;
  throw failed([{ field: 'resources', code: 'invalid', message }]);
}
