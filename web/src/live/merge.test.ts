import type { TaskStatus } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { sampleTask, sampleTemplate } from '../testing/sample.ts';
import {
  isNewer,
  mergeScheduleOutcomes,
  mergeTask,
  mergeTasks,
  mergeTemplate,
  mergeWeek,
  type TaskUpdate,
  withLastTask,
  withTask,
} from './merge.ts';

const update = (change: Partial<TaskUpdate> = {}): TaskUpdate => ({
  task_id: 1,
  template_id: 1,
  status: 'running',
  start: '2026-11-21T10:00:01.000Z',
  end: null,
  version: null,
  end_reason: null,
  ...change,
});

describe('merging an update into a task', () => {
  it('changes the fields of the update and keeps the rest', () => {
    const task = sampleTask({ status: 'waiting', start: null, end: null, message: 'hello' });
    const merged = mergeTask(task, update());
    const end_reason = { code: 'disk.full', params: {}, text: '' } as const;
    expect(mergeTask(task, update({ status: 'error', end_reason })).end_reason).toBe(end_reason);
    expect(merged).toMatchObject({ status: 'running', start: '2026-11-21T10:00:01.000Z', message: 'hello' });
    expect(task.status).toBe('waiting');
  });

  it('does not change another task', () => {
    const task = sampleTask({ id: 2, status: 'waiting' });
    expect(mergeTask(task, update())).toBe(task);
  });

  it('returns the same object when nothing differs', () => {
    const task = sampleTask({ status: 'running', end: null });
    expect(mergeTask(task, update())).toBe(task);
  });

  it.each<[TaskStatus, TaskStatus, TaskStatus]>([
    ['waiting', 'starting', 'starting'],
    ['running', 'stopping', 'stopping'],
    ['stopping', 'success', 'success'],
    ['running', 'starting', 'running'],
    ['stopping', 'running', 'stopping'],
    ['success', 'running', 'success'],
    ['error', 'success', 'error'],
    ['stopped', 'error', 'stopped'],
  ])('a task with the status %s and an update to %s becomes %s: its status never goes back', (now, next, then) => {
    expect(mergeTask(sampleTask({ status: now, end: null }), update({ status: next })).status).toBe(then);
  });
});

describe('merging an update into a list', () => {
  it('changes the task, in a new list', () => {
    const list = [sampleTask({ id: 3 }), sampleTask({ id: 1, status: 'waiting', start: null, end: null })];
    const merged = mergeTasks(list, update());
    expect(merged).not.toBe(list);
    expect(merged[0]).toBe(list[0]);
    expect(merged[1]?.status).toBe('running');
  });

  it('returns the same list when it does not contain the task, or the task does not change', () => {
    const list = [sampleTask({ id: 3 })];
    expect(mergeTasks(list, update())).toBe(list);
    const same = [sampleTask({ status: 'running', end: null })];
    expect(mergeTasks(same, update())).toBe(same);
  });

  it.each([
    { ids: [5, 3], put: 6, after: [6, 5, 3] },
    { ids: [5, 3], put: 4, after: [5, 4, 3] },
    { ids: [5, 3], put: 1, after: [5, 3, 1] },
    { ids: [5, 3], put: 3, after: [5, 3] },
    { ids: [], put: 1, after: [1] },
  ])('inserts $put into $ids in the right position', ({ ids, put, after }) => {
    const list = ids.map((id) => sampleTask({ id }));
    expect(withTask(list, sampleTask({ id: put, message: 'new' })).map(({ id }) => id)).toEqual(after);
  });

  it('replaces an older state by a newer one', () => {
    const [task] = withTask([sampleTask({ message: 'old' })], sampleTask({ message: 'new' }));
    expect(task?.message).toBe('new');
  });
});

describe('merging an update into a template', () => {
  const last = sampleTask({ status: 'running', end: null });

  it('refreshes its last task', () => {
    const template = sampleTemplate({ last_task: last, last_task_id: 1 });
    const merged = mergeTemplate(template, update({ status: 'success', end: '2026-11-21T10:02:00.000Z' }));
    expect(merged.last_task?.status).toBe('success');
  });

  it('changes nothing for another task, or without a last task', () => {
    const template = sampleTemplate({ last_task: last, last_task_id: 1 });
    expect(mergeTemplate(template, update({ task_id: 9 }))).toBe(template);
    const fresh = sampleTemplate();
    expect(mergeTemplate(fresh, update())).toBe(fresh);
  });

  it('keeps a newer last task', () => {
    const template = sampleTemplate({ last_task: last, last_task_id: 1 });
    expect(isNewer(template, update({ task_id: 2 }))).toBe(true);
    expect(isNewer(template, update({ task_id: 1 }))).toBe(false);
    expect(isNewer(template, update({ task_id: 2, template_id: 8 }))).toBe(false);
    expect(isNewer(sampleTemplate(), update())).toBe(true);
  });

  it('replaces the last task only by a newer one', () => {
    const template = sampleTemplate({ last_task: sampleTask({ id: 4 }), last_task_id: 4 });
    expect(withLastTask(template, sampleTask({ id: 5 })).last_task_id).toBe(5);
    expect(withLastTask(template, sampleTask({ id: 3 }))).toBe(template);
    expect(withLastTask(template, sampleTask({ id: 9, template_id: 2 }))).toBe(template);
  });
});

it('merges the status of a task into the outcomes of its schedule and into the week, but never backwards', () => {
  const task = { id: 7, status: 'running' as const, start: null, end: null };
  const ended = { ...update({ task_id: 7, status: 'success' }) };
  const list = [{ schedule_id: 1, tasks: [task] }];
  const merged = mergeScheduleOutcomes(list, ended);
  expect(merged[0]?.tasks[0]?.status).toBe('success');
  expect(mergeScheduleOutcomes(merged, update({ task_id: 7, status: 'running' }))).toBe(merged);
  const block = {
    schedule_id: 1,
    time: '',
    seconds: null,
    task_id: 7,
    status: 'running' as const,
    overlaps: null,
    freeze: null,
    state: 'started' as const,
  };
  const week = { blocks: [block], frequent: [], freezes: [], more: false };
  expect(mergeWeek(week, ended).blocks[0]?.status).toBe('success');
  expect(mergeWeek(week, update({ task_id: 8, status: 'success' }))).toBe(week);
});
