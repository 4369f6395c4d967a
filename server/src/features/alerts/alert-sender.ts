import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { isForGood, type SendFault } from './channels/send-fault.ts';
import {
  claimDeliveries,
  type DeliveryRow,
  nextDue,
  renewLeases,
  type Settled,
  settleDelivery,
} from './delivery.store.ts';
import { GIVE_UP_MS, waitAfter } from './retry-times.ts';

export interface AlertSenderNeeds {
  readonly database: Database;
  readonly clock: Clock;
  /**
   * Brings one message to its receiver.
   * @returns the reason why it did not arrive, or undefined; it throws where our own side failed
   */
  readonly bring: (row: DeliveryRow, signal: AbortSignal) => Promise<SendFault | undefined>;
  /** Called when something was written down about a message of a project. */
  readonly onSettled: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

/** A message that is being sent belongs to this server for so long, and each time it says so again. In milliseconds. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Another server, or a transaction that we did not see, may have left something to do. */
const LOOK_MS = 5_000;
/** Messages that are being sent may take so long when the server ends. */
const END_MS = 3_000;

/** What goes different ways does not wait for each other; so many receivers of each are sent something at once. */
const WAYS: readonly { readonly channels: readonly DeliveryRow['channel'][]; readonly most: number }[] = [
  { channels: ['email'], most: 8 },
  { channels: ['telegram'], most: 8 },
  { channels: ['slack', 'teams', 'mattermost', 'webhook'], most: 128 },
];

/**
 * Sends what is in the outbox: to each receiver one message after the other in their order, to different receivers at
 * once. Several servers share the work by leases; what a dead one was sending is sent again when its lease ends.
 */
export class AlertSender {
  readonly #needs: AlertSenderNeeds;
  readonly #lease = randomUUID();
  readonly #cut = new AbortController();
  readonly #sending = new Map<number, { readonly row: DeliveryRow; readonly done: Promise<void> }>();
  readonly #loop: WorkerLoop;
  #renewing: NodeJS.Timeout | undefined;

  constructor(needs: AlertSenderNeeds) {
    this.#needs = needs;
    const { clock, onError } = needs;
    this.#loop = new WorkerLoop({ work: (signal) => this.#look(signal), everyMs: LOOK_MS, clock, onError });
  }

  start(): void {
    this.#renewing = setInterval(() => void this.#renew(), RENEW_MS);
    this.#loop.start();
  }

  /** Something may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when nothing is being sent and nothing more is due at this moment. */
  async idle(): Promise<void> {
    while (this.#loop.isRunning || this.#sending.size > 0) {
      await this.#loop.idle();
      await Promise.all([...this.#sending.values()].map(({ done }) => done));
    }
  }

  /** Begins nothing more; what is being sent may end, and is cut off where it takes too long: it is sent again later. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const cut = setTimeout(() => this.#cut.abort(), END_MS);
    await this.idle();
    clearTimeout(cut);
    clearInterval(this.#renewing);
  }

  async #look(signal: AbortSignal): Promise<number | undefined> {
    for (const way of WAYS) if (!signal.aborted) await this.#claim(way);
    const due = await nextDue(this.#needs.database.read);
    return due ? Math.max(due.getTime() - this.#needs.clock.now().getTime(), 50) : undefined;
  }

  async #claim({ channels, most }: (typeof WAYS)[number]): Promise<void> {
    const { database, clock } = this.#needs;
    const now = clock.now();
    const busy = [...this.#sending.values()].filter(({ row }) => channels.includes(row.channel)).length;
    const rows = await claimDeliveries(database.autocommit, {
      lease: this.#lease,
      until: new Date(now.getTime() + LEASE_MS),
      now,
      channels,
      limit: most - busy,
    });
    for (const row of rows) {
      const done = this.#send(row).finally(() => {
        this.#sending.delete(row.id);
        this.wake();
      });
      this.#sending.set(row.id, { row, done });
    }
  }

  async #send(row: DeliveryRow): Promise<void> {
    const { database, bring, onSettled, onError } = this.#needs;
    try {
      const fault = await bring(row, this.#cut.signal);
      await settleDelivery(database.autocommit, row, this.#judge(row, fault));
      onSettled(row.project_id);
    } catch (error) {
      // Nothing is written down: the lease ends, and the message is tried again.
      onError(error);
    }
  }

  #judge(row: DeliveryRow, fault: SendFault | undefined): Settled {
    const now = this.#needs.clock.now();
    if (!fault) return { state: 'sent', fault: null, detail: '', nextAttempt: null, now };
    const told = { fault: fault.fault, detail: fault.detail, now };
    if (fault.fault === 'not_wanted') return { ...told, state: 'dropped', nextAttempt: null };
    // What the end of this server cut off says nothing about the receiver.
    if (this.#cut.signal.aborted) return { ...told, fault: null, detail: '', state: 'waiting', nextAttempt: now };
    const age = now.getTime() - Date.parse(row.created);
    if (isForGood(fault.fault) || age >= GIVE_UP_MS) return { ...told, state: 'failed', nextAttempt: null };
    const wait = Math.max(waitAfter(row.attempts, Math.random()), fault.retryAfterMs ?? 0);
    return { ...told, state: 'waiting', nextAttempt: new Date(now.getTime() + wait) };
  }

  async #renew(): Promise<void> {
    const ids = [...this.#sending.keys()];
    if (ids.length === 0) return;
    const until = new Date(this.#needs.clock.now().getTime() + LEASE_MS);
    await renewLeases(this.#needs.database.autocommit, this.#lease, ids, until).catch(this.#needs.onError);
  }
}
