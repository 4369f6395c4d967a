import type { FastifyInstance } from 'fastify';
import { type Clock, systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { ensureRunnerToken } from '../dispatch/local-runner/runner-token-file.ts';
import { ensureAdmin } from '../features/users/first-admin.ts';
import { composeEdge, type Edge } from './edge.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { type Listening, listen } from './listening.ts';
import { composeServices, type Services } from './services.ts';
import type { Storage } from './storage.ts';

export interface RunningServer
  extends Pick<Services, 'dispatching' | 'schedules' | 'outbox' | 'alerting' | 'logMover'> {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** Public address of the server, without a trailing slash. */
  readonly address: string;
  /** Password of the first admin. Set only at the first start, and only when the configuration has none. */
  readonly newPassword: string | undefined;
  /** Stops in order: starts no more tasks, lets open calls finish, closes sockets and the database. Runs continue. */
  stop(): Promise<void>;
}

/** Open calls and connections are cut off this many milliseconds after the start of a shutdown. */
const GRACE_MS = 5_000;

/**
 * Creates the first admin and the token of a runner next to the server. Their events are exported too.
 * @param _listening only after the port is open: if the start failed, the generated password would never be shown
 */
const ensureFirstRows = async (
  { config, clock, storage: { database } }: Foundation,
  { auditExport }: Services,
  _listening: Listening,
): Promise<string | undefined> => {
  await auditExport.register();
  const newPassword = await ensureAdmin(database, config.admin, clock);
  if (config.newRunnerTokenFile !== undefined)
    await ensureRunnerToken(database, config.newRunnerTokenFile, clock.now());
  return newPassword;
};

/** @param _listening runners connect to the port, so it must be open */
const startServices = async (services: Services, _listening: Listening): Promise<void> => {
  const { relay, ownServer, dispatching, timing, outbox, logMover, alerting, auditExport, retention, schedules } =
    services;
  await ownServer.start();
  relay?.start();
  auditExport.start();
  await dispatching.start();
  outbox.start();
  logMover?.start();
  timing.ticker.start();
  alerting.start();
  retention.start();
  schedules.start();
};

const stopAll = async ({ app, shutdown, close }: Foundation, services: Services, edge: Edge): Promise<void> => {
  const { relay, ownServer, dispatching, timing, outbox, logMover, alerting, auditExport, retention, schedules } =
    services;
  shutdown.begin();
  const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  await schedules.stop();
  await dispatching.stop();
  await edge.close();
  clearTimeout(cut);
  await retention.stop();
  await alerting.stop();
  await outbox.stop();
  await logMover?.stop();
  await timing.ticker.stop();
  await auditExport.stop();
  await relay?.stop();
  ownServer.stop();
  await close();
};

/** Wires and starts a complete server. Each step needs the result of the steps before. */
export const startServer = async (config: Config, clock: Clock = systemClock): Promise<RunningServer> => {
  const foundation = await layFoundation(config, clock);
  const services = composeServices(foundation);
  const edge = await composeEdge(foundation, services);
  const listening = await listen(foundation, edge);
  const newPassword = await ensureFirstRows(foundation, services, listening);
  await startServices(services, listening);
  edge.open();
  const { app, storage } = foundation;
  const { dispatching, schedules, outbox, alerting, logMover } = services;
  return {
    app,
    storage,
    dispatching,
    schedules,
    outbox,
    alerting,
    logMover,
    address: listening.address,
    newPassword,
    stop: () => stopAll(foundation, services, edge),
  };
};
