import type { Clock } from '../clock.ts';

/** A runner that has not spoken of a lease for so long, in milliseconds, knows nothing of it. */
const UNREPORTED_MS = 15_000;

interface Lease {
  readonly id: number;
  readonly epoch: number;
  readonly status: string;
}

/** Leases that a living runner does not speak of: their orders were lost, or not taken. */
export class UnreportedLeases {
  readonly #clock: Clock;
  #since = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Those that were not spoken of for too long.
   * @param leases all that the runner has just passed over
   * @param isDraining a runner that takes no more orders will not take these either
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
