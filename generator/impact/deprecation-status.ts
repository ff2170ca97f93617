// The deprecation status of something that was removed: the announced dates, and the name its uses were counted under.

import type { Resource } from '../model/model.js';
import type { DeprecationStatus } from './report.js';

/** @param name a parameter or property of the resource, `<action>.<parameter>`, or null for the resource itself */
export function deprecationStatus(resource: Resource, name: string | null): DeprecationStatus {
  const deprecation = resource.deprecations.find(
    ({ field, action, names, value }) =>
      (action === undefined && value === undefined && name !== null && names.includes(name)) || field === name,
  );
  const ofResource = resource.deprecations.find(({ field }) => field === null);
  const property = resource.properties.find((one) => one.name === name)?.deprecation;
  const announced = deprecation ?? property ?? ofResource;
  return {
    resource: resource.name,
    field: deprecation !== undefined ? deprecation.field : ofResource !== undefined ? null : undefined,
    dates: announced === undefined ? null : datesOf(announced),
  };
}

function datesOf({
  deprecated,
  sunset,
}: {
  deprecated?: string;
  sunset?: string;
}): NonNullable<DeprecationStatus['dates']> {
  return { ...(deprecated === undefined ? {} : { deprecated }), ...(sunset === undefined ? {} : { sunset }) };
}
