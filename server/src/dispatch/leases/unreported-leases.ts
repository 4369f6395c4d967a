import type { Clock } from '../../clock.ts';

/** Milliseconds after which a lease that the runner does not report counts as unknown to it. */
const UNREPORTED_MS = 15_000;

interface Lease {
  readonly id: number;
  readonly epoch: number;
  readonly status: string;
}

/** Leases that a living runner does not report, because the job was lost or not accepted. */
export class UnreportedLeases {
  readonly #clock: Clock;
  #since = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the leases that were not reported for too long.
   * @param leases all leases that are missing in the latest report
   * @param isDraining whether the runner takes no more jobs, these included
   */
  overdue<T extends Lease>(leases: readonly T[], isDraining: boolean): readonly T[] {
    const now = this.#clock.monotonic();
    const keyOf = ({ id, epoch }: Lease): string => `${id}-${epoch}`;
    this.#since = new Map(leases.map((lease) => [keyOf(lease), this.#since.get(keyOf(lease)) ?? now]));
    return leases.filter(
      (lease) =>
        now - (this.#since.get(keyOf(lease)) ?? now) >= UNREPORTED_MS || (isDraining && lease.status === 'waiting'),
    );
  }
}
