import { FINAL_STATUSES, OUTCOMES, TASK_STATUSES } from 'virtual:routes';
import type {
  LiveMessage,
  ScheduleOutcomes,
  ScheduleWeek,
  Task,
  TaskStatus,
  Template,
  TemplateOutcomes,
} from '@signalbox/contract';

export type UpdateMessage = Extract<LiveMessage, { type: 'update' }>;

/** The fields of a task that an update contains. */
export type TaskUpdate = Pick<
  UpdateMessage,
  'task_id' | 'template_id' | 'status' | 'start' | 'end' | 'version' | 'end_reason'
>;

const isFinal = (status: TaskStatus): boolean => (FINAL_STATUSES as readonly string[]).includes(status);

/** Whether a status may follow another one: a task only moves forward, and final statuses never change. */
const mayFollow = (now: TaskStatus, next: TaskStatus): boolean =>
  now === next || (!isFinal(now) && TASK_STATUSES.indexOf(next) > TASK_STATUSES.indexOf(now));

/**
 * Merges an update into a task, unless the update is older than the task. Returns the same object if nothing changes,
 * to avoid rendering.
 */
export const mergeTask = <T extends Pick<Task, 'id' | 'status' | 'start' | 'end' | 'version' | 'end_reason'>>(
  task: T,
  { task_id, status, start, end, version, end_reason }: TaskUpdate,
): T => {
  if (task.id !== task_id || !mayFollow(task.status, status)) return task;
  if (task.status === status && task.start === start && task.end === end && task.version === version) return task;
  return { ...task, status, start, end, version, end_reason };
};

export type ProgressMessage = Extract<LiveMessage, { type: 'progress' }>;

/** Sets when a task is expected to end; returns other tasks unchanged. */
export const withExpectation = <T extends Pick<Task, 'id'>>(task: T, message: ProgressMessage): T => {
  if (task.id !== message.task_id) return task;
  const { expected_end, done_share, longer_than_usual, running_step, silent_hosts } = message;
  return { ...task, expected_end, done_share, longer_than_usual, running_step, silent_hosts };
};

/** Merges an update into a list. Returns the same array if nothing changes. */
export const mergeTasks = (tasks: Task[], update: TaskUpdate): Task[] => {
  const at = tasks.findIndex((task) => task.id === update.task_id);
  const old = tasks[at];
  if (old === undefined) return tasks;
  const merged = mergeTask(old, update);
  return merged === old ? tasks : tasks.with(at, merged);
};

/** Merges an update into a template if it is about the template's last task; returns other templates unchanged. */
export const mergeTemplate = (template: Template, update: TaskUpdate): Template => {
  if (template.last_task === null) return template;
  const last = mergeTask(template.last_task, update);
  return last === template.last_task ? template : { ...template, last_task: last };
};

/** Whether an update is about a newer task than the last known one of its template. */
export const isNewer = (template: Template, update: TaskUpdate): boolean =>
  template.id === update.template_id && update.task_id > (template.last_task_id ?? 0);

/** Sets the last task of a template, unless the template has a newer one. */
export const withLastTask = (template: Template, task: Task): Template =>
  template.id === task.template_id && task.id >= (template.last_task_id ?? 0)
    ? { ...template, last_task_id: task.id, last_task: task }
    : template;

/** Inserts a task into a list that is sorted newest first, or replaces its older state. */
export const withTask = (tasks: Task[], task: Task): Task[] => {
  const at = tasks.findIndex(({ id }) => id <= task.id);
  if (at === -1) return [...tasks, task];
  return tasks[at]?.id === task.id ? tasks.with(at, task) : tasks.toSpliced(at, 0, task);
};

/** Adds an update to the newest tasks of one template. The task of the update may be new. */
const withOutcome = (outcomes: TemplateOutcomes, update: TaskUpdate): TemplateOutcomes => {
  const { task_id: id, status, start, end } = update;
  const at = outcomes.tasks.findIndex((task) => task.id <= id);
  const known = outcomes.tasks[at];
  if (known?.id === id) {
    if (!mayFollow(known.status, status)) return outcomes;
    if (known.status === status && known.start === start && known.end === end) return outcomes;
    return { ...outcomes, tasks: outcomes.tasks.with(at, { id, status, start, end }) };
  }
  if (at === -1 && outcomes.tasks.length >= OUTCOMES) return outcomes;
  const position = at === -1 ? outcomes.tasks.length : at;
  return { ...outcomes, tasks: outcomes.tasks.toSpliced(position, 0, { id, status, start, end }).slice(0, OUTCOMES) };
};

/** Adds an update to the newest tasks of each template. Returns the same array when nothing changes. */
export const mergeOutcomes = (list: TemplateOutcomes[], update: TaskUpdate): TemplateOutcomes[] => {
  const at = list.findIndex(({ template_id }) => template_id === update.template_id);
  const old = list[at] ?? { template_id: update.template_id, tasks: [] };
  const merged = withOutcome(old, update);
  if (merged === old) return list;
  return at === -1 ? [...list, merged] : list.with(at, merged);
};

/** Updates a task among the newest ones of a schedule. A new task of a schedule is loaded with its schedule. */
export const mergeScheduleOutcomes = (list: ScheduleOutcomes[], update: TaskUpdate): ScheduleOutcomes[] => {
  const { task_id: id, status, start, end } = update;
  const isKnown = ({ tasks }: ScheduleOutcomes) =>
    tasks.some((task) => task.id === id && task.status !== status && mayFollow(task.status, status));
  if (!list.some(isKnown)) return list;
  return list.map((outcomes) => ({
    ...outcomes,
    tasks: outcomes.tasks.map((task) => (task.id === id ? { id, status, start, end } : task)),
  }));
};

/** Updates a task in a week of schedules. */
export const mergeWeek = (week: ScheduleWeek, { task_id, status }: TaskUpdate): ScheduleWeek => {
  const at = week.blocks.findIndex((block) => block.task_id === task_id);
  const block = week.blocks[at];
  if (!block || block.status === null || block.status === status || !mayFollow(block.status, status)) return week;
  return { ...week, blocks: week.blocks.with(at, { ...block, status }) };
};
