import type { Task, Template, TemplateOutcomes } from '@signalbox/contract';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { queryKey, type TaskFilter } from '../api/keys.ts';
import { taskQuery } from '../api/queries.ts';
import {
  isNewer,
  mergeOutcomes,
  mergeTask,
  mergeTasks,
  mergeTemplate,
  type UpdateMessage,
  withLastTask,
  withTask,
} from './merge.ts';

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

const knows = (client: QueryClient, message: UpdateMessage): boolean => {
  const templates = client.getQueryData<Template[]>(queryKey.templates(message.project_id));
  if (templates?.some((template) => isNewer(template, message))) return false;
  const lists = client.getQueriesData<TaskList>({ queryKey: queryKey.taskLists(message.project_id) });
  return lists.every(([key, list]) => {
    if (list === undefined || isNarrowed(key) || (key[3] === 'template' && key[4] !== message.template_id)) return true;
    const tasks = Array.isArray(list) ? list : list.pages.flat();
    // Older than everything loaded: the list is right without it.
    return tasks.some(({ id }) => id === message.task_id) || message.task_id < (tasks.at(-1)?.id ?? 0);
  });
};

/** Brings an update into every list and task that the page has loaded. */
const mergeUpdate = (client: QueryClient, message: UpdateMessage): void => {
  const project = message.project_id;
  client.setQueryData<Task>(queryKey.task(project, message.task_id), (task) => task && mergeTask(task, message));
  eachTaskList(client, project, (list) => mapList(list, (tasks) => mergeTasks(tasks, message)));
  client.setQueryData<Template[]>(queryKey.templates(project), (list) => {
    const merged = list?.map((template) => mergeTemplate(template, message));
    return merged?.every((template, at) => template === list?.[at]) ? list : merged;
  });
  client.setQueryData<TemplateOutcomes[]>(queryKey.outcomes(project), (list) => list && mergeOutcomes(list, message));
  client.setQueryData<Template>(
    queryKey.template(project, message.template_id),
    (template) => template && mergeTemplate(template, message),
  );
};

/** Updates remembered, so that an answer that was on its way when they came does not undo them. */
const REMEMBERED = 500;

/** Keeps what the page has loaded true to what the live connection says. */
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

  /**
   * Takes in one update. A task that the page does not know yet is fetched whole, because an update carries only what
   * changes.
   */
  async apply(message: UpdateMessage): Promise<void> {
    const client = this.#client;
    const { project_id: project, template_id: template } = message;
    this.#recent.delete(message.task_id);
    this.#recent.set(message.task_id, message);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > REMEMBERED && oldest !== undefined) this.#recent.delete(oldest);
    mergeUpdate(client, message);
    // An update tells the status; what came with it, such as the commit, is asked for where the task itself is shown.
    await client.invalidateQueries({ queryKey: queryKey.task(project, message.task_id) });
    const narrowed = { queryKey: queryKey.taskLists(project), predicate: isNarrowedQuery };
    await client.invalidateQueries(narrowed);
    if (message.end !== null) {
      const told = [queryKey.statistics(project), queryKey.events(project)];
      await Promise.all(told.map((key) => client.invalidateQueries({ queryKey: key })));
    }
    if (message.status === 'success') await client.invalidateQueries({ queryKey: queryKey.builds(project, template) });
    if (knows(client, message)) return;
    const task = await client.fetchQuery({ ...taskQuery(project, message.task_id), staleTime: 0 });
    // The answer may be older than what was pushed while it was on its way.
    addTask(client, mergeTask(task, this.#recent.get(task.id) ?? message));
  }

  stop(): void {
    this.#stop();
  }
}
