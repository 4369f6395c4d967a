import type { ActiveTask, ScheduleOutcomes, ScheduleWeek, Task, Template, TemplateOutcomes } from '@signalbox/contract';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { queryKey, type TaskFilter } from '../api/keys.ts';
import { taskQuery } from '../api/queries.ts';
import { updateActiveTasks } from './active-tasks.ts';
import {
  isNewer,
  mergeOutcomes,
  mergeScheduleOutcomes,
  mergeTask,
  mergeTasks,
  mergeTemplate,
  mergeWeek,
  type ProgressMessage,
  type UpdateMessage,
  withExpectation,
  withLastTask,
  withTask,
} from './merge.ts';
import { refetch } from './refetch.ts';

type Chunks = InfiniteData<Task[], number | undefined>;
type TaskList = Task[] | Chunks;

const mapList = (list: TaskList, change: (tasks: Task[], first: boolean) => Task[]): TaskList => {
  if (Array.isArray(list)) return change(list, true);
  const pages = list.pages.map((page, at) => change(page, at === 0));
  return pages.every((page, at) => page === list.pages[at]) ? list : { ...list, pages };
};

const isNarrowed = (key: readonly unknown[]): boolean => {
  const filter = key[4] as TaskFilter | undefined;
  return key[3] === 'list' && Object.values(filter ?? {}).some((value) => value !== undefined);
};

const isNarrowedQuery = (query: { queryKey: readonly unknown[] }): boolean => isNarrowed(query.queryKey);

const eachTaskList = (
  client: QueryClient,
  project: number,
  change: (list: TaskList, key: readonly unknown[]) => TaskList,
): void => {
  for (const [key, list] of client.getQueriesData<TaskList>({ queryKey: queryKey.taskLists(project) })) {
    if (list === undefined) continue;
    const changed = change(list, key);
    if (changed !== list) client.setQueryData(key, changed);
  }
};

const addTask = (client: QueryClient, task: Task): void => {
  const { project_id: project, template_id: template } = task;
  client.setQueryData(queryKey.task(project, task.id), task);
  eachTaskList(client, project, (list, key) => {
    if (isNarrowed(key) || (key[3] === 'template' && key[4] !== template)) return list;
    return mapList(list, (tasks, first) => (first ? withTask(tasks, task) : tasks));
  });
  client.setQueryData<Template[]>(queryKey.templates(project), (list) => list?.map((t) => withLastTask(t, task)));
  client.setQueryData<Template>(queryKey.template(project, template), (t) => t && withLastTask(t, task));
};

const hasTask = (client: QueryClient, message: UpdateMessage): boolean => {
  const templates = client.getQueryData<Template[]>(queryKey.templates(message.project_id));
  if (templates?.some((template) => isNewer(template, message))) return false;
  const lists = client.getQueriesData<TaskList>({ queryKey: queryKey.taskLists(message.project_id) });
  return lists.every(([key, list]) => {
    if (list === undefined || isNarrowed(key) || (key[3] === 'template' && key[4] !== message.template_id)) return true;
    const tasks = Array.isArray(list) ? list : list.pages.flat();
    // The task is older than all loaded ones, so the list is correct without it.
    return tasks.some(({ id }) => id === message.task_id) || message.task_id < (tasks.at(-1)?.id ?? 0);
  });
};

/** Applies an update to every loaded list and task. */
const mergeUpdate = (client: QueryClient, message: UpdateMessage): void => {
  const project = message.project_id;
  client.setQueryData<Task>(queryKey.task(project, message.task_id), (task) => task && mergeTask(task, message));
  eachTaskList(client, project, (list) => mapList(list, (tasks) => mergeTasks(tasks, message)));
  client.setQueryData<Template[]>(queryKey.templates(project), (list) => {
    const merged = list?.map((template) => mergeTemplate(template, message));
    return merged?.every((template, at) => template === list?.[at]) ? list : merged;
  });
  client.setQueryData<TemplateOutcomes[]>(queryKey.outcomes(project), (list) => list && mergeOutcomes(list, message));
  client.setQueryData<ScheduleOutcomes[]>(
    queryKey.scheduleOutcomes(project),
    (list) => list && mergeScheduleOutcomes(list, message),
  );
  client.setQueriesData<ScheduleWeek>(
    { queryKey: queryKey.anyScheduleWeek(project) },
    (week) => week && mergeWeek(week, message),
  );
  client.setQueryData<Template>(
    queryKey.template(project, message.template_id),
    (template) => template && mergeTemplate(template, message),
  );
};

/** Number of stored updates. They are applied again when a slower response arrives that does not contain them. */
const REMEMBERED = 500;

/** Applies live updates to the query cache. */
export class LiveCache {
  readonly #client: QueryClient;
  readonly #recent = new Map<number, UpdateMessage>();
  readonly #stop: () => void;

  constructor(client: QueryClient) {
    this.#client = client;
    this.#stop = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
      if (event.query.queryKey[0] !== 'project') return;
      for (const message of this.#recent.values()) mergeUpdate(client, message);
    });
  }

  /** Applies one update. A task that is not loaded is fetched, because an update contains only the changed fields. */
  async apply(message: UpdateMessage): Promise<void> {
    const client = this.#client;
    const { project_id: project, template_id: template } = message;
    this.#recent.delete(message.task_id);
    this.#recent.set(message.task_id, message);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > REMEMBERED && oldest !== undefined) this.#recent.delete(oldest);
    mergeUpdate(client, message);
    updateActiveTasks(client, message);
    // An update contains the status. Other fields that changed with it, such as the commit, are fetched where the task
    // is shown.
    await refetch(client, { queryKey: queryKey.task(project, message.task_id) });
    const narrowed = { queryKey: queryKey.taskLists(project), predicate: isNarrowedQuery };
    await refetch(client, narrowed);
    if (message.end !== null) {
      const changed = [queryKey.statistics, queryKey.events, queryKey.overview, queryKey.trends].map((of) =>
        of(project),
      );
      await Promise.all(changed.map((key) => refetch(client, { queryKey: key })));
    }
    if (message.status === 'success') await refetch(client, { queryKey: queryKey.builds(project, template) });
    if (hasTask(client, message)) return;
    const task = await client.fetchQuery({ ...taskQuery(project, message.task_id), staleTime: 0 });
    // The response may be older than an update that arrived meanwhile.
    addTask(client, mergeTask(task, this.#recent.get(task.id) ?? message));
  }

  /** Sets when a task is expected to end, where it is loaded. */
  applyProgress(message: ProgressMessage): void {
    const client = this.#client;
    const { project_id: project, task_id: id } = message;
    client.setQueryData<Task>(queryKey.task(project, id), (task) => task && withExpectation(task, message));
    eachTaskList(client, project, (list) =>
      mapList(list, (tasks) =>
        tasks.some((task) => task.id === id) ? tasks.map((task) => withExpectation(task, message)) : tasks,
      ),
    );
    client.setQueryData<ActiveTask[]>(queryKey.activeTasks, (list) =>
      list?.map((task) => withExpectation(task, message)),
    );
  }

  stop(): void {
    this.#stop();
  }
}
