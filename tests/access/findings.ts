// What a run of the matrix finds: every probe counted, every difference kept, leaks marked. No probe lives here.

export interface Difference {
  /** True: something was shown or written that must not be. */
  readonly leak: boolean;
  readonly probe: string;
  readonly expected: string;
  readonly got: string;
  /** True: nothing was compared, as something that is needed for it could not be done. */
  readonly broken?: true;
}

export class Findings {
  probes = 0;
  readonly differences: Difference[] = [];

  /** @param first true: the first difference between something expected and what came is all that is wanted */
  constructor(private readonly first = false) {}

  /** Whether there is nothing left to find. */
  get done(): boolean {
    return this.first && this.differences.some(({ broken }) => !broken);
  }

  /** Compares one outcome; a success that should be a refusal is a leak. */
  outcome(probe: string, expected: string, got: string): void {
    this.probes++;
    if (got === expected) return;
    this.differences.push({ leak: got === 'ok', probe, expected, got });
  }

  /** One thing that must hold; where it does not, it is a leak. */
  kept(probe: string, holds: boolean, got: string): void {
    this.probes++;
    if (!holds) this.differences.push({ leak: true, probe, expected: 'not shown, not written', got });
  }

  /** One thing that must be there; where it is not, somebody lost what is theirs. */
  given(probe: string, holds: boolean, got: string): void {
    this.probes++;
    if (!holds) this.differences.push({ leak: false, probe, expected: 'there', got });
  }

  /** What cannot be compared, as something that is needed for it could not be done. */
  broken(probe: string, got: string): void {
    this.probes++;
    this.differences.push({ leak: false, probe, expected: 'done', got, broken: true });
  }
}

/** A probe that can be run beside others. */
export type Probe = () => Promise<void>;

/** Runs them, some at a time, until the findings are done. */
export async function runAll(findings: Findings, probes: readonly Probe[]): Promise<void> {
  const waiting = [...probes];
  const worker = async () => {
    for (let probe = waiting.pop(); probe !== undefined && !findings.done; probe = waiting.pop()) await probe();
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
