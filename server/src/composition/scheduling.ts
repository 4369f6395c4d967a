import { NewTask } from '@signalbox/contract';
import { SYSTEM } from '../audit/record-event.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { EnvironmentRules } from '../execution-environments.ts';
import type { Channels } from '../features/alerts/channels/channels.ts';
import { writeScheduleAlert } from '../features/alerts/schedule-alert.store.ts';
import { type CommitAnswer, ScheduleEngine } from '../features/schedules/schedule.engine.ts';
import { launchTask } from '../features/tasks/launch/task-launch.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';
import type { MasterKey } from '../secrets/master-key.ts';
import type { Choices } from './choices.ts';

export interface SchedulingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly timezone: string;
  /** Decrypts and encrypts secret answers. */
  readonly master?: MasterKey;
  /** Queries a runner. Undefined when none is connected. */
  readonly newestCommit: (repositoryId: number) => Promise<CommitAnswer>;
  readonly choices?: Choices;
  /** Which execution environments are allowed. */
  readonly environments: EnvironmentRules;
  /** The channels of alerts about schedules that started no task. Without them, no alert is stored. */
  readonly channels?: Channels;
  /** Called with a task that a schedule started. */
  readonly launched: (task: TaskRow) => void;
  /** Called after a due time of a schedule of a project was handled. */
  readonly handled?: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Wires the schedules to task launches and to runner queries. */
export const composeScheduling = (deps: SchedulingDeps): ScheduleEngine<TaskRow> =>
  new ScheduleEngine({
    ...deps,
    alert: async (tx, alert) => {
      if (deps.channels) await writeScheduleAlert(tx, alert, deps.channels);
    },
    launch: (tx, { projectId, templateId, buildTaskId, scheduleName, scheduleId, afterTaskId, values, now }) =>
      launchTask(tx, {
        projectId,
        request: NewTask.parse({ ...values, template_id: templateId, build_task_id: buildTaskId }),
        actor: SYSTEM,
        // The values were checked with the rights of the user who saved them, and their variables again at this start.
        mayOverride: true,
        ...(deps.master ? { master: deps.master } : {}),
        now,
        scheduleName,
        scheduleId,
        afterTaskId,
        environments: deps.environments,
      }),
  });
