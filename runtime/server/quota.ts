// The quota of a user's files (D64) in a running service: where it is set, how usage is counted, and its metric.

import type { Registry } from 'prom-client';
import { UPKEEP } from '../contract/defaults.js';
import type { AnyDefinition } from '../contract/definition.js';
import type { Job } from '../contract/job.js';
import { metricOf } from '../http/metric.js';
import type { FileIndex } from '../store/engine.js';
import { countedUploads } from '../store/files.js';
import { createQuota, type Quota } from '../store/quota.js';
import { StartError } from '../store/start-error.js';

/** Throws StartError if no resource states how large uploads are. */
export function quotaOf(definitions: readonly AnyDefinition[], bytes: number): Quota {
  if (countedUploads(definitions) !== undefined) return createQuota(bytes);
  throw new StartError(
    '--quota-bytes adds up a field of uploads that is filled `from: upload.size`, and there is none: leave it out',
  );
}

/** @param counted called with the quota after a count */
export function countingJob(
  quota: Quota,
  files: Pick<FileIndex, 'listUsersAbove'>,
  counted: (quota: Quota) => void,
): Job {
  return {
    name: 'counting what the files of users take',
    every: UPKEEP.quota,
    async step() {
      quota.learn(await files.listUsersAbove(quota.bytes));
      counted(quota);
      return false;
    },
  };
}

/** Adds the number of users who cannot upload. */
export function quotaMetrics(quota: Quota): (registry: Registry) => void {
  const help = 'Users whose files take all that they may.';
  return metricOf({ name: 'users_over_quota', help }, () => quota.full().length);
}
