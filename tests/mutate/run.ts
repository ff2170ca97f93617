// Distributes mutants to child processes, one at a time to each, and collects the verdicts.
import { type ChildProcess, fork } from 'node:child_process';
import { WORKER_OPTIONS } from '../support/worker-options.js';

const WORKERS = 2;

export interface Verdict {
  readonly name: string;
  readonly probes: number;
  /** The difference that revealed the mutant; empty if nothing did. */
  readonly differences: readonly string[];
  /** True if something failed to run, rather than differed. */
  readonly broken?: boolean;
}

interface NamedMutant {
  readonly name: string;
}

/**
 * One verdict per job, in any order. Resolves when every child process has ended.
 * @param worker the program of the child processes, which takes such jobs
 */
export async function runMutants<J extends NamedMutant>(
  jobs: readonly J[],
  worker: string,
): Promise<readonly Verdict[]> {
  const waiting = [...jobs];
  const verdicts = await Promise.all(
    Array.from({ length: Math.min(WORKERS, jobs.length) }, async () => {
      const child = fork(worker, { execArgv: [...WORKER_OPTIONS], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const done: Verdict[] = [];
      try {
        for (let job = waiting.shift(); job !== undefined; job = waiting.shift())
          done.push(await verdictOf(child, job));
      } finally {
        child.kill();
      }
      return done;
    }),
  );
  return verdicts.flat();
}

function verdictOf(child: ChildProcess, job: NamedMutant): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`the process died over "${job.name}"`));
    child.once('exit', ended);
    child.once('message', (verdict: Verdict) => {
      child.off('exit', ended);
      resolve(verdict);
    });
    child.send(job);
  });
}
