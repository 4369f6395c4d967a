import type { RecordedAlert } from './alert-recorder.ts';
import { LINES } from './playbooks.ts';

/** What was found of a task after its end. */
export interface Evidence {
  readonly task: number;
  readonly project: number;
  readonly status: string;
  readonly expected: 'success' | 'error';
  /** How often its playbook recorded its start. */
  readonly starts: number;
  /** The numbers in its log. */
  readonly numbers: readonly number[];
  readonly isClosed: boolean;
}

const WHOLE = Array.from({ length: LINES }, (_, number) => number).join();

export const judgeTask = ({ task, status, expected, starts, numbers, isClosed }: Evidence): string[] => {
  const wrong: string[] = [];
  if (status !== expected) wrong.push(`task ${task} ended as ${status}, not as ${expected}`);
  if (starts !== 1) wrong.push(`task ${task} ran ${starts} times`);
  if (numbers.join() !== WHOLE) wrong.push(`the log of task ${task} has the lines ${numbers.join()}`);
  if (!isClosed) wrong.push(`the log of task ${task} is not closed`);
  return wrong;
};

/** How much later than the next one a message about an earlier end may arrive, in milliseconds. */
const SAME_TIME_MS = 1000;

/** Judges the alerts of one receiver. A receiver drops a message whose id it has had before, so does this. */
export const judgeAlerts = (project: number, all: readonly RecordedAlert[], tasks: readonly number[]): string[] => {
  const wrong: string[] = [];
  const ids = new Set<string>();
  const alerts = all.filter(({ id }) => !ids.has(id) && ids.add(id));
  const count = new Map<number, number>();
  for (const { task } of alerts) count.set(task, (count.get(task) ?? 0) + 1);
  for (const task of tasks)
    if (count.get(task) !== 1) wrong.push(`project ${project} got ${count.get(task) ?? 0} alerts of task ${task}`);
  let newest = alerts[0];
  for (const alert of alerts) {
    if (newest && alert.end < newest.end - SAME_TIME_MS)
      wrong.push(`project ${project} got the alert of task ${alert.task} after that of task ${newest.task}`);
    if (!newest || alert.end > newest.end) newest = alert;
  }
  return wrong;
};

/** Judges the starts of a schedule that is due every minute, in milliseconds since 1970. */
export const judgeSchedule = (name: string, starts: readonly number[], from: number, to: number): string[] => {
  const due = Math.floor(to / 60_000) - Math.floor(from / 60_000);
  return starts.length === due ? [] : [`${name} started ${starts.length} tasks at ${due} due times`];
};
