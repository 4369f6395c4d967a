import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { LinkedRunner } from '../bus/linked-runner.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { Dispatcher } from '../dispatch/claim/dispatcher.ts';
import { storeInputDigests } from '../dispatch/claim/input-digests.ts';
import { type JobDeps, readJob } from '../dispatch/claim/job.read-model.ts';
import type { ExpectedEnd } from '../dispatch/claim/lock-reasons.ts';
import { queueReader } from '../dispatch/claim/waiting-groups.ts';
import { waitingReader } from '../dispatch/claim/waiting-tasks.ts';
import { removeEndedRunner, sweepEphemeralRunners } from '../dispatch/leases/ephemeral-runners.ts';
import { LeaseWatch } from '../dispatch/leases/lease-watch.ts';
import { endWorkOfRunner } from '../dispatch/leases/revoke-runner.ts';
import { LocalRunner } from '../dispatch/local-runner/local-runner.starter.ts';
import { HostResolver } from '../dispatch/queries/host-resolver.ts';
import { sweepQueries } from '../dispatch/queries/query-lease.ts';
import { QueryService } from '../dispatch/queries/query-service.ts';
import { RelayedQueries } from '../dispatch/queries/relayed-queries.ts';
import { type RunListeners, RunRecorder } from '../dispatch/session/run-recorder.ts';
import { clearConnections, RunnerAdmission } from '../dispatch/session/runner-admission.ts';
import { RunnerHub } from '../dispatch/session/runner-hub.ts';
import { RunnerTokens } from '../dispatch/session/runner-tokens.ts';
import type { Channels } from '../features/alerts/channels/channels.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import { runnerSocketPath } from '../files/data-folder.ts';
import type { InputDigest } from '../secrets/input-digest.ts';
import type { RunKeys } from '../secrets/run-keys.store.ts';
import { VERSION } from '../version.ts';
import { makeSweeper, WorkerLoop } from '../worker-loop.ts';
import { alertingEnd } from './alerting.ts';
import type { Storage } from './storage.ts';

/** Time between two reads of queries of other servers whose notices were lost, in milliseconds. */
const RELAY_MS = 1_000;

export interface DispatchingDeps {
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly channels: Channels;
  readonly listeners: RunListeners;
  /** Called when a waiting task may be able to start. */
  readonly onCapacity: () => void;
  /** The runners that are linked to other servers. */
  readonly otherRunners: () => readonly LinkedRunner[];
  /** Whether every other server has reported its runners. */
  readonly knowsRunners: () => boolean;
  /** Called when a runner has connected or left. */
  readonly onRunners: () => void;
  readonly expectedEnd: ExpectedEnd;
  /** Called when a query to a runner of another server was stored or answered. */
  readonly onRelayed: (id: number) => void;
  readonly log: FastifyBaseLogger;
  readonly jobDeps: JobDeps;
  readonly inputDigest: InputDigest;
  readonly runKeys: RunKeys;
}

export interface Dispatching {
  readonly dispatcher: Dispatcher;
  readonly hub: RunnerHub;
  readonly queryService: QueryService;
  /** The runners that are linked to this server or to another one. */
  readonly allRunners: () => readonly LinkedRunner[];
  /** Called when another server has stored or answered a query. */
  relayedChanged(id: number): void;
  /** Returns why tasks wait, by id. */
  readonly readWaiting: ReturnType<typeof waitingReader>;
  /** Returns which tasks wait, for what, and why. */
  readonly readQueue: ReturnType<typeof queueReader>;
  /** Ends the work of a runner whose token was revoked, and deletes the runner. */
  endWorkOfRunner(id: number): Promise<void>;
  start(): Promise<void>;
  /** Starts no more tasks. Runs continue under their runners. */
  stop(): Promise<void>;
}

/** Wires everything between a waiting task and its runner. */
export const composeDispatching = (deps: DispatchingDeps): Dispatching => {
  const { config, storage, clock, listeners, onCapacity, log, runKeys } = deps;
  const { database, logs } = storage;
  const onError = (error: unknown): void => log.error({ err: error }, 'dispatch failed; it will be retried');
  const end = alertingEnd(deps.channels, config.environments);
  const recorder = new RunRecorder({ database, logs, clock, listeners, tasks: { apply: applyEvent, end } });
  const isConnected = (id: number): boolean => hub.runners().some((runner) => runner.id === id);
  const socketPath = runnerSocketPath(config.dataFolder);

  const hub = new RunnerHub({
    database,
    logs,
    clock,
    recorder,
    runKeys,
    admission: new RunnerAdmission({ database, clock }),
    tokens: new RunnerTokens({ database, clock, maxHours: config.runnerTokenHours }),
    onCapacity,
    version: VERSION,
    log,
    onEnded: (id, isConfirmed) => removeEndedRunner(database, id, isConfirmed, clock.now()),
    onLeft: () => {
      local?.check();
      deps.onRunners();
    },
    localSettings: () => local?.settings,
    onWelcome: () => {
      local?.connected();
      deps.onRunners();
    },
  });
  const dispatcher = new Dispatcher({
    database,
    systemLimit: config.maxParallelTasks,
    hostNames: deps.jobDeps.hostNames,
    recorder,
    readJob: (taskId) => readJob(deps.jobDeps, taskId),
    storeInputDigests: (job) => storeInputDigests({ database, inputDigest: deps.inputDigest }, job),
    runKeys,
    runners: hub.runners,
    onError,
  });
  const watch = new LeaseWatch({
    database,
    clock,
    recorder,
    lostAfterMs: config.lostAfterSeconds * 1000,
    isConnected,
    onCapacity,
    onError,
  });
  const local =
    config.runnerSlots === 0
      ? undefined
      : new LocalRunner({
          database,
          folder: join(config.dataFolder, 'runner'),
          socketPath,
          slots: config.runnerSlots,
          runAs: config.runAs,
          outputLimit: config.outputLimit,
          cache: config.cache,
          repositoryRoots: config.localRepositoryRoots,
          hostKeys: config.hostKeys,
          warmStart: config.warmStart,
          environment: { ...config.runnerEnvironment, ...config.containerEnvironment },
          isConnected,
          now: () => clock.now(),
          log,
        });
  const relayed = database.capabilities.isShared
    ? new RelayedQueries({
        database,
        clock,
        master: storage.master,
        runners: hub.runners,
        changed: deps.onRelayed,
        onError,
      })
    : undefined;
  const relaying = new WorkerLoop({
    work: async () => {
      await relayed?.sendWaiting();
      return undefined;
    },
    everyMs: RELAY_MS,
    onError,
  });
  const queryService = new QueryService({ database, clock, runners: hub.runners, relayed });
  const hostResolver = new HostResolver({
    database,
    clock,
    queryService,
    readJob: (taskId) => readJob(deps.jobDeps, taskId),
    hostNames: deps.jobDeps.hostNames,
    recorder,
    onKnown: onCapacity,
    onError,
  });
  const allRunners = (): readonly LinkedRunner[] => {
    const own = hub.runners();
    return [...own, ...deps.otherRunners().filter((other) => !own.some(({ id }) => id === other.id))];
  };
  const waiting = {
    database,
    systemLimit: config.maxParallelTasks,
    runners: allRunners,
    isComplete: deps.knowsRunners,
    expectedEnd: deps.expectedEnd,
    hostNames: deps.jobDeps.hostNames,
  };
  const sweeper = makeSweeper(async () => {
    await sweepQueries(database, clock.now());
    const linked = hub.runners().map(({ id }) => id);
    await sweepEphemeralRunners(database, linked, clock.now());
  }, onError);
  let server: Server | undefined;
  return {
    dispatcher,
    hub,
    queryService,
    allRunners,
    relayedChanged: (id) => {
      relayed?.changed(id);
      relaying.wake();
    },
    readWaiting: waitingReader(waiting),
    readQueue: queueReader(waiting),
    endWorkOfRunner: async (id) => {
      await endWorkOfRunner({ database, recorder, disconnect: (runnerId) => hub.disconnect(runnerId) }, id);
      onCapacity();
    },
    start: async () => {
      // The socket file of a killed server would make `listen` fail. The lock on the folder proves that no server
      // uses the file.
      rmSync(socketPath, { force: true });
      if (!database.capabilities.isShared) await clearConnections(database);
      server = await hub.listen(socketPath);
      await local?.start();
      dispatcher.start();
      await hostResolver.start();
      watch.start();
      sweeper.start();
      if (relayed) relaying.start();
    },
    stop: async () => {
      local?.stop();
      await watch.stop();
      await sweeper.stop();
      await dispatcher.stop();
      await hostResolver.stop();
      await relaying.stop();
      hub.close();
      await relayed?.close();
      await queryService.idle();
      await hostResolver.idle();
      server?.close();
    },
  };
};
