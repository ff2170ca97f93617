// The findings of a run of the matrix: it counts every probe, keeps every difference and marks leaks.

export interface Difference {
  /** True: something was shown or written that must not be. */
  readonly leak: boolean;
  readonly probe: string;
  readonly expected: string;
  readonly got: string;
  /** True: nothing was compared, as the preparation failed. */
  readonly broken?: true;
}

export class Findings {
  probes = 0;
  readonly differences: Difference[] = [];

  /** @param first true: the run is done after the first difference between expected and actual */
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

  /** A condition that must hold; if it does not, that is a leak. */
  kept(probe: string, holds: boolean, got: string): void {
    this.probes++;
    if (!holds) this.differences.push({ leak: true, probe, expected: 'not shown, not written', got });
  }

  /** A condition that must hold; if it does not, somebody is denied what is theirs. */
  given(probe: string, holds: boolean, got: string): void {
    this.probes++;
    if (!holds) this.differences.push({ leak: false, probe, expected: 'there', got });
  }

  /** A comparison that could not be made, as the preparation failed. */
  broken(probe: string, got: string): void {
    this.probes++;
    this.differences.push({ leak: false, probe, expected: 'done', got, broken: true });
  }
}

/** A probe that can run in parallel to others. */
export type Probe = () => Promise<void>;

/** Runs the probes, several at a time, until the findings are done. */
export async function runAll(findings: Findings, probes: readonly Probe[]): Promise<void> {
  const waiting = [...probes];
  const worker = async () => {
    for (let probe = waiting.pop(); probe !== undefined && !findings.done; probe = waiting.pop()) await probe();
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
