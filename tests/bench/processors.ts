// The processors of a measured server and of the load: different ones if there are two or more, so that neither takes time
// from the other.

import { existsSync, readFileSync } from 'node:fs';

const TASKSET = '/usr/bin/taskset';

/** The command line that runs `command` on one processor for servers, or on the others, for the load. */
export function pinned(
  role: 'server' | 'load',
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  if (!existsSync(TASKSET)) return command;
  const [first, ...others] = allowed();
  if (first === undefined || others.length === 0) return command;
  return [TASKSET, '--cpu-list', role === 'server' ? String(first) : others.join(','), ...command];
}

/** The processors that this process may use, which the kernel lists as `0-1,4`. */
function allowed(): readonly number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
