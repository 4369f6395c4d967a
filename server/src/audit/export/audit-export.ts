import type { Clock } from '../../clock.ts';
import type { AuditDestination } from '../../database/audit.schema.ts';
import { type Database, LOCK } from '../../database/database.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { deleteAuditEntries, pendingAuditEntries, registerDestinations } from './audit-entry.store.ts';
import { auditHead, auditLine } from './audit-entry.ts';
import type { Deliver } from './destinations.ts';

export interface AuditExportDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly destinations: Readonly<Partial<Record<AuditDestination, Deliver>>>;
  /** Called for every delivery that failed. It is repeated. */
  readonly onError: (destination: AuditDestination, error: unknown) => void;
}

/** Maximum number of events per delivery. */
const BATCH = 200;
/** Interval at which new events are sent, in milliseconds. */
const POLL_MS = 1000;
/** Delay after the first of several failures, in milliseconds. Doubles up to the maximum. */
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

const LOCKS = { file: LOCK.auditFile, syslog: LOCK.auditSyslog, https: LOCK.auditHttps } as const;

/** Sends the events that one destination has not received, on one server at a time. */
const makeLoop = (deps: AuditExportDeps, destination: AuditDestination, deliver: Deliver): WorkerLoop => {
  const { database, clock, onError } = deps;
  let failures = 0;
  const sendAll = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const rows = await pendingAuditEntries(database, destination, BATCH);
      if (rows.length === 0) return;
      await deliver(
        rows.map((row) => ({ ...auditHead(row), line: auditLine(row) })),
        signal,
      );
      failures = 0;
      await deleteAuditEntries(
        database,
        rows.map(({ id }) => id),
      );
    }
  };
  return new WorkerLoop({
    work: async (signal) => {
      try {
        await database.alone(() => sendAll(signal), LOCKS[destination]);
        return POLL_MS;
      } catch (error) {
        if (signal.aborted) return undefined;
        failures += 1;
        onError(destination, error);
        return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
      }
    },
    everyMs: MAX_DELAY_MS,
    // `work` handles its errors.
    onError: () => undefined,
    clock,
  });
};

/** Sends every event to each destination, in order and at least once. */
export class AuditExport {
  readonly #deps: AuditExportDeps;
  readonly #loops: readonly WorkerLoop[];

  constructor(deps: AuditExportDeps) {
    this.#deps = deps;
    this.#loops = Object.entries(deps.destinations).map(([name, deliver]) =>
      makeLoop(deps, name as AuditDestination, deliver),
    );
  }

  /** Queues the events from now on. */
  async register(): Promise<void> {
    const { database, destinations, clock } = this.#deps;
    await registerDestinations(database, Object.keys(destinations) as AuditDestination[], clock.now());
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** Resolves when the current deliveries have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }
}
