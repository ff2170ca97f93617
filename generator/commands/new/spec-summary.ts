// Collects what a new descriptor can refer to: resources, conventions and principal, even if the spec has mistakes.

import { compileSpec, type Source } from '../../compile-spec.js';

export interface SpecSummary {
  /** Paths of the descriptors by resource name. */
  readonly resources: ReadonlyMap<string, string>;
  readonly conventions: readonly string[];
  /** Null if the spec has none. */
  readonly principal: string | null;
  readonly hasUploads: boolean;
}

export function summarize({ files, ledger }: Source): SpecSummary {
  const { spec } = compileSpec({ files, ledger });
  return {
    resources: new Map(spec.resources.map(({ resource, source }) => [resource, source])),
    conventions: spec.conventions,
    principal: spec.resources.find(({ principal }) => principal)?.resource ?? null,
    hasUploads: spec.resources.some(({ upload }) => upload !== undefined),
  };
}
