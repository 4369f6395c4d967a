import { NewTask } from '@signalbox/contract';
import type { FastifyBaseLogger } from 'fastify';
import { SYSTEM } from '../audit/record-event.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { type OrderNeeds, readRepositorySource } from '../dispatch/order.read-model.ts';
import { ScheduleEngine } from '../features/schedules/schedule.engine.ts';
import { launchTask } from '../features/tasks/task-launch.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { Storage } from './storage.ts';

export interface SchedulingNeeds {
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly live: LiveHub;
  readonly dispatcher: Dispatcher;
  readonly orderNeeds: OrderNeeds;
  readonly log: FastifyBaseLogger;
}

export type Schedules = Pick<ScheduleEngine<TaskRow>, 'start' | 'stop' | 'wake' | 'quiet'>;

/** Wires the schedules to what they start and to the runners that look into repositories. */
export const composeScheduling = (needs: SchedulingNeeds): Schedules => {
  const { config, storage, clock, live, dispatcher, orderNeeds, log } = needs;
  return new ScheduleEngine({
    database: storage.database,
    clock,
    timezone: config.timezone,
    launch: (tx, { projectId, templateId, buildTaskId, startedBy, now }) =>
      launchTask(tx, {
        projectId,
        request: NewTask.parse({ template_id: templateId, build_task_id: buildTaskId }),
        actor: SYSTEM,
        mayManage: false,
        now,
        startedBy,
      }),
    newestCommit: async (repositoryId) => {
      const repository = await readRepositorySource(orderNeeds, repositoryId);
      const answer = await dispatcher.ask({ ask: 'newest_commit', repository });
      if (answer?.ask === 'refused') return { refused: answer.error };
      return answer?.ask === 'newest_commit' ? { commit: answer.commit } : undefined;
    },
    launched: (task) => {
      live.tasksChanged([task]);
      dispatcher.wake();
    },
    onError: (error) => log.error({ err: error }, 'a schedule could not be handled; it is tried again'),
  });
};
