import type { Task, Template, TemplateOutcomes } from '@signalbox/contract';
import { type InfiniteData, QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queryKey } from '../api/keys.ts';
import { taskQuery, tasksQuery, templatesQuery } from '../api/queries.ts';
import { sampleTask, sampleTemplate } from '../testing/sample.ts';
import { answerCalls } from '../testing/test-fetch.ts';
import { LiveCache } from './live-cache.ts';
import type { UpdateMessage } from './merge.ts';

const update = (change: Partial<UpdateMessage> = {}): UpdateMessage => ({
  type: 'update',
  project_id: 1,
  task_id: 1,
  template_id: 1,
  status: 'success',
  start: '2026-11-21T10:00:01.000Z',
  end: '2026-11-21T10:02:00.000Z',
  version: null,
  end_reason: null,
  ...change,
});

const start = () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const cache = new LiveCache(client);
  onTestFinished(() => cache.stop());
  return { client, cache };
};

const history = (client: QueryClient): Task[] =>
  client.getQueryData<InfiniteData<Task[]>>(queryKey.tasks(1))?.pages.flat() ?? [];

const running = sampleTask({ status: 'running', end: null });

describe('a live update of a task', () => {
  it('changes the history, the templates and the task itself', async () => {
    const { client, cache } = start();
    client.setQueryData(queryKey.tasks(1), { pages: [[running]], pageParams: [undefined] });
    client.setQueryData(queryKey.templates(1), [sampleTemplate({ last_task: running, last_task_id: 1 })]);
    client.setQueryData(queryKey.task(1, 1), running);
    await cache.apply(update());
    expect(history(client)[0]?.status).toBe('success');
    expect(client.getQueryData<Template[]>(queryKey.templates(1))?.[0]?.last_task?.status).toBe('success');
    expect(client.getQueryData<Task>(queryKey.task(1, 1))?.status).toBe('success');
  });

  it('changes the newest tasks of the template, at most ten, and adds a new task', async () => {
    const { client, cache } = start();
    const outcome = (id: number, status: Task['status']) => ({ id, status, start: null, end: null });
    const old = Array.from({ length: 10 }, (_, at) => outcome(20 - at, at === 0 ? 'running' : 'success'));
    client.setQueryData(queryKey.outcomes(1), [{ template_id: 1, tasks: old }]);
    const ids = () =>
      client
        .getQueryData<TemplateOutcomes[]>(queryKey.outcomes(1))
        ?.map(({ template_id, tasks }) => [template_id, tasks.map(({ id, status }) => `${id} ${status}`)]);
    const kept = old.slice(1).map(({ id }) => `${id} success`);
    await cache.apply(update({ task_id: 20, status: 'error' }));
    expect(ids()).toEqual([[1, ['20 error', ...kept]]]);
    await cache.apply(update({ task_id: 20, status: 'running' }));
    await cache.apply(update({ task_id: 5, status: 'error' }));
    expect(ids()).toEqual([[1, ['20 error', ...kept]]]);
    await cache.apply(update({ task_id: 21, status: 'waiting' }));
    await cache.apply(update({ task_id: 22, template_id: 2, status: 'waiting' }));
    expect(ids()).toEqual([
      [1, ['21 waiting', '20 error', ...kept.slice(0, -1)]],
      [2, ['22 waiting']],
    ]);
  });

  it('fetches a new task, and shows it on top', async () => {
    const { client, cache } = start();
    const calls = answerCalls(() => ({ status: 200, body: sampleTask({ id: 2, status: 'waiting' }) }));
    client.setQueryData(queryKey.tasks(1), { pages: [[running]], pageParams: [undefined] });
    client.setQueryData(queryKey.templates(1), [sampleTemplate({ last_task: running, last_task_id: 1 })]);
    await cache.apply(update({ task_id: 2, status: 'waiting', start: null, end: null }));
    expect(calls.map(({ path }) => path)).toEqual(['/api/project/1/tasks/2']);
    expect(history(client).map(({ id }) => id)).toEqual([2, 1]);
    expect(client.getQueryData<Template[]>(queryKey.templates(1))?.[0]?.last_task_id).toBe(2);
  });

  it('is not undone by a task that was fetched before', async () => {
    const { client, cache } = start();
    answerCalls(() => ({ status: 200, body: sampleTask({ id: 2, status: 'running', end: null }) }));
    client.setQueryData(queryKey.tasks(1), { pages: [[running]], pageParams: [undefined] });
    const first = cache.apply(update({ task_id: 2, status: 'running', end: null }));
    await cache.apply(update({ task_id: 2, status: 'stopping', end: null }));
    await first;
    expect(history(client)[0]).toMatchObject({ id: 2, status: 'stopping' });
    expect(client.getQueryData<Task>(queryKey.task(1, 2))?.status).toBe('stopping');
  });

  it('adds a new task only to the lists of its own template', async () => {
    const { client, cache } = start();
    answerCalls(() => ({ status: 200, body: sampleTask({ id: 2 }) }));
    client.setQueryData(queryKey.templateTasks(1, 1, 5), [running]);
    client.setQueryData(queryKey.templateTasks(1, 8, 5), [sampleTask({ id: 1, template_id: 8 })]);
    await cache.apply(update({ task_id: 2 }));
    expect(client.getQueryData<Task[]>(queryKey.templateTasks(1, 1, 5))).toHaveLength(2);
    expect(client.getQueryData<Task[]>(queryKey.templateTasks(1, 8, 5))).toHaveLength(1);
  });

  it('requests nothing while no data of the project is loaded', async () => {
    const { cache } = start();
    const calls = answerCalls(() => ({ status: 500 }));
    await cache.apply(update());
    expect(calls).toEqual([]);
  });

  it('does not change other projects', async () => {
    const { client, cache } = start();
    client.setQueryData(queryKey.tasks(2), {
      pages: [[sampleTask({ project_id: 2, status: 'running' })]],
      pageParams: [undefined],
    });
    await cache.apply(update());
    const other = client.getQueryData<InfiniteData<Task[]>>(queryKey.tasks(2))?.pages[0]?.[0];
    expect(other?.status).toBe('running');
  });

  it('is not undone by an answer that was requested before it', async () => {
    const { client, cache } = start();
    let answer: (body: unknown) => void = () => undefined;
    answerCalls(async () => ({ status: 200, body: await new Promise((resolve) => (answer = resolve)) }));
    const loading = client.fetchInfiniteQuery(tasksQuery(1));
    await Promise.resolve();
    await cache.apply(update());
    answer([running]);
    await loading;
    expect(history(client)[0]?.status).toBe('success');
  });

  it('is not undone by a list of templates that was requested before it', async () => {
    const { client, cache } = start();
    let answer: (body: unknown) => void = () => undefined;
    answerCalls(async () => ({ status: 200, body: await new Promise((resolve) => (answer = resolve)) }));
    const loading = client.fetchQuery(templatesQuery(1));
    await Promise.resolve();
    await cache.apply(update());
    answer([sampleTemplate({ last_task: running, last_task_id: 1 })]);
    await loading;
    expect(client.getQueryData<Template[]>(queryKey.templates(1))?.[0]?.last_task?.status).toBe('success');
  });

  it('refetches filtered lists, because a task may have been added or removed', async () => {
    const { client, cache } = start();
    const filter = { status: 'running' as const };
    client.setQueryData(queryKey.tasks(1, filter), { pages: [[running]], pageParams: [undefined] });
    await cache.apply(update());
    expect(client.getQueryState(queryKey.tasks(1, filter))?.isInvalidated).toBe(true);
    expect(client.getQueryState(queryKey.tasks(1, {}))).toBeUndefined();
  });

  it('refetches the task if it is shown, for fields that an update does not contain', async () => {
    const { client, cache } = start();
    answerCalls(() => ({ status: 200, body: running }));
    await client.fetchQuery(taskQuery(1, 1));
    await cache.apply(update());
    expect(client.getQueryState(queryKey.task(1, 1))?.isInvalidated).toBe(true);
    expect(client.getQueryData<Task>(queryKey.task(1, 1))?.status).toBe('success');
  });
});
