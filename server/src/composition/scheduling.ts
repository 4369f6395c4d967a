import { NewTask } from '@signalbox/contract';
import { SYSTEM } from '../audit/record-event.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { type CommitAnswer, ScheduleEngine } from '../features/schedules/schedule.engine.ts';
import { launchTask } from '../features/tasks/task-launch.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';

export interface SchedulingNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly timezone: string;
  /** Asks a runner; undefined when none is connected. */
  readonly newestCommit: (repositoryId: number) => Promise<CommitAnswer>;
  /** Tells everybody who watches, and dispatch, that a task is new. */
  readonly launched: (task: TaskRow) => void;
  readonly onError: (error: unknown) => void;
}

/** Wires the schedules to what they start and to the runners that look into repositories. */
export const composeScheduling = (needs: SchedulingNeeds): ScheduleEngine<TaskRow> =>
  new ScheduleEngine({
    ...needs,
    launch: (tx, { projectId, templateId, buildTaskId, scheduleName, scheduleId, now }) =>
      launchTask(tx, {
        projectId,
        request: NewTask.parse({ template_id: templateId, build_task_id: buildTaskId }),
        actor: SYSTEM,
        mayManage: false,
        now,
        scheduleName,
        scheduleId,
      }),
  });
