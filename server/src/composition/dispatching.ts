import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { runnerSocketPath } from '../data-folder.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { LeaseWatch } from '../dispatch/lease-watch.ts';
import { LocalRunner } from '../dispatch/local-runner.starter.ts';
import { type OrderNeeds, readOrder } from '../dispatch/order.read-model.ts';
import { QuestionDesk } from '../dispatch/question-desk.ts';
import { sweepQuestions } from '../dispatch/question-lease.ts';
import { forgetRunner } from '../dispatch/revoke-runner.ts';
import { type RunListeners, RunRecorder } from '../dispatch/run-recorder.ts';
import { clearConnections, RunnerAdmission } from '../dispatch/runner-admission.ts';
import { RunnerHub } from '../dispatch/runner-hub.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import type { SealKeys } from '../secrets/seal-keys.store.ts';
import { VERSION } from '../version.ts';
import { makeSweeper } from '../worker-loop.ts';
import { alertingEnd, serverChannels } from './alerting.ts';
import type { Storage } from './storage.ts';

export interface DispatchingNeeds {
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly listeners: RunListeners;
  readonly log: FastifyBaseLogger;
  readonly orderNeeds: OrderNeeds;
  readonly sealKeys: SealKeys;
}

export interface Dispatching {
  readonly dispatcher: Dispatcher;
  readonly hub: RunnerHub;
  readonly desk: QuestionDesk;
  /** Ends what a runner holds whose token was revoked. */
  forgetRunner(id: number): Promise<void>;
  start(): Promise<void>;
  /** No task is started any more; what runs goes on under its runner. */
  stop(): Promise<void>;
}

/** Wires everything between a waiting task and the runner that runs it. */
export const composeDispatching = (needs: DispatchingNeeds): Dispatching => {
  const { config, storage, clock, listeners, log, sealKeys } = needs;
  const { database, logs } = storage;
  const onError = (error: unknown): void => log.error({ err: error }, 'dispatch could not do its work; it tries again');
  const end = alertingEnd(serverChannels(config));
  const recorder = new RunRecorder({ database, logs, clock, listeners, tasks: { apply: applyEvent, end } });
  const isConnected = (id: number): boolean => hub.runners().some((runner) => runner.id === id);
  const onRoom = (): void => dispatcher.wake();
  const socketPath = runnerSocketPath(config.dataFolder);

  const hub = new RunnerHub({
    database,
    logs,
    clock,
    recorder,
    sealKeys,
    admission: new RunnerAdmission({ database, clock }),
    onRoom,
    version: VERSION,
    log,
    onLeft: () => local?.check(),
    onWelcome: () => local?.connected(),
  });
  const dispatcher = new Dispatcher({
    database,
    systemLimit: config.maxParallelTasks,
    recorder,
    readOrder: (taskId) => readOrder(needs.orderNeeds, taskId),
    sealKeys,
    runners: hub.runners,
    onError,
  });
  const watch = new LeaseWatch({
    database,
    clock,
    recorder,
    lostAfterMs: config.lostAfterSeconds * 1000,
    isConnected,
    onRoom,
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
          environment: config.runnerEnvironment,
          isConnected,
          now: () => clock.now(),
          log,
        });
  const desk = new QuestionDesk({ database, clock, runners: hub.runners });
  const sweeper = makeSweeper(() => sweepQuestions(database, clock.now()), onError);
  let server: Server | undefined;
  return {
    dispatcher,
    hub,
    desk,
    forgetRunner: async (id) => {
      await forgetRunner({ database, recorder, dismiss: (runnerId) => hub.dismiss(runnerId) }, id);
      onRoom();
    },
    start: async () => {
      // A socket file that a killed server left would refuse the new one; the folder's lock says that nobody listens.
      rmSync(socketPath, { force: true });
      if (!database.capabilities.isShared) await clearConnections(database);
      server = await hub.listen(socketPath);
      await local?.start();
      dispatcher.start();
      watch.start();
      sweeper.start();
    },
    stop: async () => {
      local?.stop();
      await watch.stop();
      await sweeper.stop();
      await dispatcher.stop();
      hub.close();
      await desk.idle();
      server?.close();
    },
  };
};
