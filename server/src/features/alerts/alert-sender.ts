import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import type { Lane } from './channels/channel.ts';
import type { Channels } from './channels/channels.ts';
import { isPermanent, type SendError } from './channels/send-error.ts';
import {
  claimDeliveries,
  type DeliveryResult,
  type DeliveryRow,
  nextDue,
  renewLeases,
  storeDeliveryResult,
} from './delivery.store.ts';
import { GIVE_UP_MS, waitAfter } from './retry-times.ts';

export interface AlertSenderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly channels: Channels;
  /**
   * Delivers one message to its recipient. Throws for errors of this server.
   * @returns the reason why it was not delivered, or undefined
   */
  readonly deliver: (row: DeliveryRow, signal: AbortSignal) => Promise<SendError | undefined>;
  /** Called when the state of a delivery of a project has changed. */
  readonly onDelivered: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * How long a message that is being sent is leased to this server, in milliseconds, and how often the lease is
 * renewed.
 */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Maximum time between two polls, in milliseconds. Another server or a crash may have left messages over. */
const POLL_MS = 5_000;
/** Milliseconds that messages have to be sent while the server stops. */
const END_MS = 3_000;

/** Maximum number of messages per lane that are sent at the same time. Lanes do not wait for each other. */
const MAX_SENDING: Readonly<Record<Lane, number>> = { mail: 8, chat: 8, web: 128 };
const LANES = Object.keys(MAX_SENDING) as Lane[];

/**
 * Sends the messages of the outbox: one at a time to each recipient, in order, and to different recipients at the
 * same time. Servers share the work by leases. A message of a dead server is sent again when its lease ends.
 */
export class AlertSender {
  readonly #deps: AlertSenderDeps;
  readonly #lease = randomUUID();
  readonly #cut = new AbortController();
  readonly #sending = new Map<number, { readonly row: DeliveryRow; readonly done: Promise<void> }>();
  readonly #loop: WorkerLoop;
  #renewing: NodeJS.Timeout | undefined;

  constructor(deps: AlertSenderDeps) {
    this.#deps = deps;
    const { clock, onError } = deps;
    this.#loop = new WorkerLoop({ work: (signal) => this.#poll(signal), everyMs: POLL_MS, clock, onError });
  }

  start(): void {
    this.#renewing = setInterval(() => void this.#renew(), RENEW_MS);
    this.#loop.start();
  }

  /** Called when a message may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when no message is being sent and no other is due now. */
  async idle(): Promise<void> {
    while (this.#loop.isRunning || this.#sending.size > 0) {
      await this.#loop.idle();
      await Promise.all([...this.#sending.values()].map(({ done }) => done));
    }
  }

  /**
   * Starts no further message. Messages that are being sent get `END_MS` to finish, then they are cut off and sent
   * again later.
   */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const cut = setTimeout(() => this.#cut.abort(), END_MS);
    await this.idle();
    clearTimeout(cut);
    clearInterval(this.#renewing);
  }

  async #poll(signal: AbortSignal): Promise<number | undefined> {
    for (const lane of LANES) if (!signal.aborted) await this.#claim(lane);
    const due = await nextDue(this.#deps.database.read);
    return due ? Math.max(due.getTime() - this.#deps.clock.now().getTime(), 50) : undefined;
  }

  async #claim(lane: Lane): Promise<void> {
    const { database, clock, channels } = this.#deps;
    const names = (Object.keys(channels) as (keyof Channels)[]).filter((name) => channels[name].lane === lane);
    const now = clock.now();
    const busy = [...this.#sending.values()].filter(({ row }) => names.includes(row.channel)).length;
    const rows = await claimDeliveries(database.autocommit, {
      lease: this.#lease,
      until: new Date(now.getTime() + LEASE_MS),
      now,
      channels: names,
      limit: MAX_SENDING[lane] - busy,
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
    const { database, deliver, onDelivered, onError } = this.#deps;
    try {
      const error = await deliver(row, this.#cut.signal);
      await storeDeliveryResult(database.autocommit, row, this.#judge(row, error));
      onDelivered(row.project_id);
    } catch (error) {
      // Nothing is stored: the lease ends, and the message is sent again.
      onError(error);
    }
  }

  #judge(row: DeliveryRow, error: SendError | undefined): DeliveryResult {
    const now = this.#deps.clock.now();
    if (!error) return { state: 'sent', fault: null, detail: '', nextAttempt: null, now };
    const result = { fault: error.reason, detail: error.detail, now };
    if (error.reason === 'not_wanted') return { ...result, state: 'dropped', nextAttempt: null };
    // A message that this server cut off is no failure of the recipient.
    if (this.#cut.signal.aborted) return { ...result, fault: null, detail: '', state: 'waiting', nextAttempt: now };
    const age = now.getTime() - Date.parse(row.created);
    if (isPermanent(error.reason) || age >= GIVE_UP_MS) return { ...result, state: 'failed', nextAttempt: null };
    const wait = Math.max(waitAfter(row.attempts, Math.random()), error.retryAfterMs ?? 0);
    return { ...result, state: 'waiting', nextAttempt: new Date(now.getTime() + wait) };
  }

  async #renew(): Promise<void> {
    const ids = [...this.#sending.keys()];
    if (ids.length === 0) return;
    const until = new Date(this.#deps.clock.now().getTime() + LEASE_MS);
    await renewLeases(this.#deps.database.autocommit, this.#lease, ids, until).catch(this.#deps.onError);
  }
}
