import type { LiveMessage, SilentHosts } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import type { RunProgress } from './run-progress.ts';
import { readTimedTasks } from './timed-tasks.ts';

export type ProgressMessage = Extract<LiveMessage, { type: 'progress' }>;

export interface ProgressTickerDeps {
  readonly database: Database;
  readonly progress: RunProgress;
  /** Whether pages are open. Without one, only tasks about whose silent hosts alerts are sent are computed. */
  readonly isWatched: () => boolean;
  readonly send: (message: ProgressMessage) => void;
  /** Stores an alert about silent hosts, unless one about the step of the task is stored. */
  readonly alert: (taskId: number, silent: SilentHosts) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const EVERY_MS = 2_000;
/** A smaller change of the expected end is not sent, in milliseconds. */
const SENT_FROM_MS = 1_000;
const SENT_FROM_SHARE = 0.01;
const MAX_ALERTED = 1_000;

const isChanged = (before: ProgressMessage | undefined, now: ProgressMessage): boolean => {
  if (before === undefined) return now.expected_end !== null || now.longer_than_usual || now.silent_hosts !== null;
  if ((before.expected_end === null) !== (now.expected_end === null)) return true;
  if (before.longer_than_usual !== now.longer_than_usual) return true;
  if (before.running_step?.step !== now.running_step?.step) return true;
  if (JSON.stringify(before.silent_hosts) !== JSON.stringify(now.silent_hosts)) return true;
  const moved = Math.abs(Date.parse(now.expected_end ?? '') - Date.parse(before.expected_end ?? ''));
  return moved >= SENT_FROM_MS || Math.abs((now.done_share ?? 0) - (before.done_share ?? 0)) >= SENT_FROM_SHARE;
};

/** Creates the loop that sends to open pages when running tasks are expected to end. */
export const makeProgressTicker = ({
  database,
  progress,
  isWatched,
  send,
  alert,
  onError,
}: ProgressTickerDeps): WorkerLoop => {
  let sent = new Map<number, ProgressMessage>();
  /** The newest step of each task about which this server has asked for an alert. */
  const alerted = new Map<number, number>();
  const alertOnce = async (taskId: number, silent: SilentHosts): Promise<void> => {
    if (alerted.get(taskId) === silent.step) return;
    await alert(taskId, silent);
    alerted.set(taskId, silent.step);
    const [oldest] = alerted.keys();
    if (alerted.size > MAX_ALERTED && oldest !== undefined) alerted.delete(oldest);
  };
  return new WorkerLoop({
    work: async (signal) => {
      const isOpen = isWatched();
      const next = new Map<number, ProgressMessage>();
      for (const task of await readTimedTasks(database.read, isOpen ? 'all' : 'alerted')) {
        if (signal.aborted) return undefined;
        const { id: task_id, project_id, template_id } = task;
        const message = { type: 'progress', project_id, task_id, template_id, ...(await progress.of(task)) } as const;
        if (task.isAlerted && message.silent_hosts) await alertOnce(task_id, message.silent_hosts);
        if (!isOpen) continue;
        const before = sent.get(task_id);
        const isNew = isChanged(before, message);
        if (isNew) send(message);
        if (isNew || before) next.set(task_id, isNew || !before ? message : before);
      }
      sent = next;
      return undefined;
    },
    everyMs: EVERY_MS,
    onError,
  });
};
