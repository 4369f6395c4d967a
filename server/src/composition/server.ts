import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isFinal } from '@signalbox/contract';
import type { FastifyInstance } from 'fastify';
import { type Clock, systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { LINK_PATH } from '../dispatch/runner-hub.ts';
import { ensureRunnerToken } from '../dispatch/runner-token-file.ts';
import { makeHostLedgerKeeper } from '../features/hosts/host-ledger.keeper.ts';
import { makeMetrics } from '../features/operations/metrics.ts';
import { RetentionSweeper } from '../features/retention/retention-sweeper.ts';
import type { ScheduleEngine } from '../features/schedules/schedule.engine.ts';
import { networkOf } from '../features/sign-in/client-network.ts';
import { openSession } from '../features/sign-in/open-session.ts';
import { findCaller } from '../features/sign-in/session.store.ts';
import { SignInThrottle } from '../features/sign-in/sign-in.throttle.ts';
import { directoryAsker } from '../features/single-sign-on/directories.ts';
import { providerTrips } from '../features/single-sign-on/trips.ts';
import { countActiveTasks } from '../features/tasks/task-counts.ts';
import { removeTasks } from '../features/tasks/task-removal.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';
import { findTokenCaller } from '../features/tokens/token.store.ts';
import { ensureAdmin } from '../features/users/first-admin.ts';
import { makeApp, routedUrl } from '../http/app.ts';
import { bindRoutes } from '../http/bind-routes.ts';
import { LongAnswers } from '../http/long-answers.ts';
import { watchOpenCalls } from '../http/open-calls.ts';
import { isOwnOrigin } from '../http/origin.ts';
import { servePage } from '../http/page.ts';
import { bindTrips } from '../http/provider-trip.ts';
import { bearerOf, SESSION_COOKIE, sessionGate } from '../http/session-gate.ts';
import { limitLines } from '../line-limit.ts';
import { readHearings } from '../live/hearing.read-model.ts';
import { LiveHub } from '../live/live-hub.ts';
import { LIVE_PATH, LiveServer, refuseUpgrade } from '../live/live-server.ts';
import { makeLogRemover } from '../logs/log-remover.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import { openSealKeys } from '../secrets/seal-keys.store.ts';
import { ServerKeys } from '../secrets/server-keys.ts';
import { StartError } from '../start-error.ts';
import { VERSION } from '../version.ts';
import type { WorkerLoop } from '../worker-loop.ts';
import { type Alerting, composeAlerting } from './alerting.ts';
import { composeDispatching, type Dispatching } from './dispatching.ts';
import { composeHandlers } from './handlers.ts';
import { composeQuestions } from './questions.ts';
import { composeScheduling } from './scheduling.ts';
import { openStorage, type Storage } from './storage.ts';

const PAGE_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url));

export interface RunningServer {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  readonly dispatching: Dispatching;
  readonly logRemover: WorkerLoop;
  readonly hostLedger: WorkerLoop;
  readonly alerting: Alerting;
  readonly schedules: ScheduleEngine<TaskRow>;
  /** The address people open, without a slash at its end. */
  readonly address: string;
  /** Set once, at the very first start, when no password was configured. */
  readonly newPassword: string | undefined;
  /** Ends in order: no new task, open calls finish, sockets are told, the database is closed. Runs go on. */
  stop(): Promise<void>;
}

const localAddress = (config: Config, port: number): string => {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

const listen = async (app: FastifyInstance, { host, port }: Config): Promise<number> => {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} on ${host} is in use: stop what uses it, or set SIGNALBOX_PORT to another port.`,
      );
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user: set SIGNALBOX_PORT to one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${host} is no address of this machine: set SIGNALBOX_HOST to one that is.`);
    throw error;
  }
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : port;
};

/** Maximum log lines a minute for failed sign-ins with a provider or directory: anonymous clients can cause them. */
const SIGN_IN_LINES = 20;

/** Calls and readers that are still busy after so long, in milliseconds, are cut off: an end in order is an end. */
const GRACE_MS = 5_000;

/** Wires and starts a whole server. */
export const startServer = async (config: Config, clock: Clock = systemClock): Promise<RunningServer> => {
  let storage: Storage | undefined;
  const app = await makeApp({
    logLevel: config.logLevel,
    trustedProxies: config.trustedProxies,
    pathPrefix: config.pathPrefix,
    faults: {
      isUnavailable: (error) => storage?.database.capabilities.isUnavailable(error) ?? false,
      isFull: (error) => storage?.database.capabilities.isFull(error) ?? false,
      isDangling: (error) => storage?.database.capabilities.isDangling(error) ?? false,
    },
  });
  storage = await openStorage(config, (error) => app.log.warn({ err: error }, 'a connection to the database was lost'));
  const { database, logs } = storage;
  const serverKeys = new ServerKeys(database, storage.master, (error) =>
    app.log.warn({ err: error }, 'the keys of this server could not be stored; it tries again'),
  );
  // Before the first secret is read, so that `vault rekey` always sees a server that uses secrets.
  await serverKeys.start();
  const sealKeys = await openSealKeys(database, storage.master);

  let stopping = false;
  const openCalls = watchOpenCalls(app, () => stopping);
  let address = '';
  const live = new LiveHub({
    hearings: (tokens) => readHearings(database.read, tokens, clock.now(), config.secondFactor),
    totalLines: async (taskId) => {
      const task = await database.read
        .selectFrom('task')
        .select('project_id')
        .where('id', '=', taskId)
        .executeTakeFirst();
      return task && { projectId: task.project_id, total: (await logs.head(taskId)).next_line - 1 };
    },
    onError: (error) => app.log.warn({ err: error }, 'live messages wait for the database'),
  });
  const taskUrl = (projectId: number, taskId: number): string =>
    `${config.publicUrl ?? address}/project/${projectId}/history?t=${taskId}`;
  const orderNeeds = { db: database.read, master: storage.master, taskUrl };
  const alerting = composeAlerting({
    config,
    storage,
    clock,
    log: app.log,
    taskUrl,
    onSettled: (projectId) => live.partChanged(projectId, 'alerts'),
  });
  const hostLedger = makeHostLedgerKeeper({
    database,
    summary: (taskId) => logs.resultSummary(taskId),
    hosts: (taskId, first, limit) => logs.resultHosts(taskId, { ...HOSTS_BY_NAME, first, limit }),
    onWritten: (projectId) => live.partChanged(projectId, 'hosts'),
    onError: (error) => app.log.error({ err: error }, 'what a run did to its hosts is not written down yet'),
  });
  const metrics = makeMetrics({
    version: VERSION,
    database: database.capabilities.name,
    activeTasks: () => countActiveTasks(database),
    runners: () => dispatching.hub.runners(),
    openPages: () => live.size,
  });
  metrics.watchCalls(app);
  // The port is open before the first admin exists: calls wait until the server can answer them.
  const started = Promise.withResolvers<void>();
  app.addHook('onRequest', () => started.promise);
  const dispatching = composeDispatching({
    config,
    storage,
    clock,
    log: app.log,
    orderNeeds,
    sealKeys,
    listeners: {
      changed: (tasks) => {
        metrics.tasksChanged(tasks);
        live.tasksChanged(tasks);
        if (!tasks.some(({ status }) => isFinal(status))) return;
        hostLedger.wake();
        alerting.sender.wake();
      },
      detailsChanged: (task) => live.tasksChanged([task]),
      lines: (...facts) => {
        metrics.linesStored(facts[3].length);
        live.linesStored(...facts);
      },
      results: (...facts) => live.resultsStored(...facts),
    },
  });

  const find = (token: string) => findCaller(database, token, clock.now(), config.secondFactor);
  const secure = config.publicUrl?.startsWith('https:') ?? false;
  const findByToken = (token: string) => findTokenCaller(database, token, clock.now());
  const gate = sessionGate({ findCaller: find, findTokenCaller: findByToken, pathPrefix: config.pathPrefix, secure });
  const logRemover = makeLogRemover({
    database,
    logs,
    onError: (error) => app.log.error({ err: error }, 'logs could not be removed; the next sweep tries again'),
  });
  const retention = new RetentionSweeper({
    database,
    clock,
    system: config.retention,
    removeTasks,
    logsQueued: () => logRemover.wake(),
    onError: (error) => app.log.error({ err: error }, 'old tasks could not be removed; the next sweep tries again'),
  });
  const { dispatcher } = dispatching;
  const tasksChanged = (tasks: readonly TaskRow[]): void => {
    // Stopping a waiting task involves no runner.
    metrics.tasksChanged(tasks);
    live.tasksChanged(tasks);
    dispatcher.wake();
  };
  const questions = composeQuestions({ desk: dispatching.desk, orderNeeds, clock });
  const schedules = composeScheduling({
    database,
    clock,
    timezone: config.timezone,
    newestCommit: questions.newestCommit,
    launched: (task) => tasksChanged([task]),
    onError: (error) => app.log.error({ err: error }, 'a schedule could not be handled; it is tried again'),
  });
  const throttle = new SignInThrottle(database, clock);
  const warnOfSignIns = limitLines(clock, SIGN_IN_LINES);
  const askDirectories = directoryAsker({
    servers: config.ldapServers,
    onDown: (server, { message }) =>
      warnOfSignIns((more) => app.log.warn({ server, why: message, ...more }, 'a directory could not be asked')),
  });
  const longAnswers = new LongAnswers({
    onError: (error) => app.log.warn({ err: error }, 'the rights of open answers could not be checked'),
  });
  const rightsChanged = (): void => {
    void live.refresh();
    void longAnswers.recheck();
  };
  const handlers = composeHandlers({
    config,
    throttle,
    askDirectories,
    storage,
    clock,
    dispatching,
    live,
    questions,
    alerting,
    publicAddress: () => (config.publicUrl ?? address).replace(/\/$/, ''),
    metrics: metrics.text,
    rightsChanged,
    tasksChanged,
    schedulesChanged: () => schedules.wake(),
  });
  bindRoutes(app, handlers, {
    db: database.read,
    gate,
    longAnswers,
    publicUrl: config.publicUrl,
    onChanged: (projectId, part) => live.partChanged(projectId, part),
    onInstallationChanged: (part) => live.installationChanged(part),
  });
  const trips = providerTrips({
    database,
    clock,
    master: storage.master,
    providers: config.oidcProviders,
    pathPrefix: config.pathPrefix,
    // Failed callbacks have a separate limit: a provider that refuses all users must not block passwords.
    attempt: (account, from, verify) => throttle.attempt(account, `returns of ${networkOf(from)}`, verify),
    openSession,
    rightsChanged,
    onFailure: (provider, { fault, message }) =>
      warnOfSignIns((more) =>
        app.log.warn({ provider, fault, why: message, ...more }, 'a sign-in with a provider failed'),
      ),
    onError: (error) =>
      warnOfSignIns((more) => app.log.error({ err: error, ...more }, 'a sign-in with a provider failed here')),
  });
  bindTrips(app, trips, { gate, pathPrefix: config.pathPrefix, secure });
  await servePage(app, PAGE_FOLDER, config.pathPrefix);

  const liveServer = new LiveServer({
    hub: live,
    sessionOf: async (request) => {
      const apiToken = bearerOf(request.headers);
      if (apiToken !== undefined) return (await findByToken(apiToken)) ? apiToken : undefined;
      const token = app.parseCookie(request.headers.cookie ?? '')[SESSION_COOKIE];
      const found = token === undefined ? undefined : await find(token);
      return found && !found.caller.secondFactorDue ? token : undefined;
    },
    isOwnOrigin: (request) => isOwnOrigin(request.headers, config.publicUrl),
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Nobody else listens any more: a peer that is suddenly gone must not end the process.
    socket.on('error', () => socket.destroy());
    const path = routedUrl(request.url, config.pathPrefix).split('?')[0];
    if (path === LIVE_PATH && !stopping) void liveServer.handleUpgrade(request, socket, head);
    else if (path === LINK_PATH && !stopping) void dispatching.hub.handleUpgrade(request, socket, head);
    else refuseUpgrade(socket, stopping ? '503 Service Unavailable' : '404 Not Found');
  });

  address = localAddress(config, await listen(app, config));
  // Only a server that got its port makes an admin: a password of a start that failed would never be shown.
  const newPassword = await ensureAdmin(database, config.admin, clock);
  if (config.newRunnerTokenFile !== undefined)
    await ensureRunnerToken(database, config.newRunnerTokenFile, clock.now());
  await dispatching.start();
  hostLedger.start();
  alerting.start();
  logRemover.start();
  retention.start();
  schedules.start();
  started.resolve();
  const stop = async (): Promise<void> => {
    stopping = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
    await schedules.stop();
    await dispatching.stop();
    liveServer.close();
    await openCalls.finished();
    await app.close();
    clearTimeout(cut);
    await retention.stop();
    await alerting.stop();
    await hostLedger.stop();
    await logRemover.stop();
    await serverKeys.stop();
    await storage.close();
  };
  return {
    app,
    storage,
    dispatching,
    schedules,
    logRemover,
    hostLedger,
    alerting,
    address: config.publicUrl ?? address,
    newPassword,
    stop,
  };
};
