import { describe, expect, it } from 'vitest';
import { buildCurve, type MeasuredTask, removedBy } from './storage-curve.ts';

const KEEP = { tasksDays: 0, logsDays: 0, leastTasks: 1 };

/** One task a day, the oldest first. */
const daily = (days: number, change: (age: number) => Partial<MeasuredTask> = () => ({})): MeasuredTask[] =>
  Array.from({ length: days }, (_, index) => {
    const age = days - index - 0.5;
    return { age, isProtected: false, hasLog: true, logBytes: 1000, resultBytes: 10, ...change(age) };
  });

describe('the forecast of what retention removes', () => {
  it('is built in slices for many tasks', async () => {
    let pauses = 0;
    const next = (): Promise<void> => {
      pauses += 1;
      return Promise.resolve();
    };
    const curve = await buildCurve(daily(4000), { isOver: true, next });
    expect(pauses).toBe(4);
    expect(removedBy(curve, { ...KEEP, logsDays: 1000 }).logs).toBe(3000);
  });

  it('counts nothing while everything is kept', async () => {
    expect(removedBy(await buildCurve(daily(100)), KEEP)).toEqual({ tasks: 0, logs: 0, bytes: 0 });
    expect(removedBy(await buildCurve([]), { ...KEEP, logsDays: 1 })).toEqual({ tasks: 0, logs: 0, bytes: 0 });
  });

  it.each([
    [30, 70],
    [90, 10],
    [37, 63],
    [100, 0],
    [3000, 0],
  ])('counts the logs that are older than %i days', async (logsDays, logs) => {
    expect(removedBy(await buildCurve(daily(100)), { ...KEEP, logsDays })).toEqual({
      tasks: 0,
      logs,
      bytes: logs * 1000,
    });
  });

  it('counts tasks with their results, and logs once', async () => {
    const removal = removedBy(await buildCurve(daily(100)), { ...KEEP, logsDays: 30, tasksDays: 60 });
    expect(removal).toEqual({ tasks: 40, logs: 70, bytes: 70_000 + 400 });
    expect(removedBy(await buildCurve(daily(100)), { ...KEEP, logsDays: 0, tasksDays: 60 }).bytes).toBe(40_400);
  });

  it('leaves out the newest tasks, protected ones, and removed logs', async () => {
    expect(removedBy(await buildCurve(daily(100)), { ...KEEP, logsDays: 1, leastTasks: 50 }).logs).toBe(50);
    const some = daily(100, (age) => ({ isProtected: age > 99, hasLog: age < 90 }));
    expect(removedBy(await buildCurve(some), { ...KEEP, logsDays: 60 }).logs).toBe(30);
    expect(removedBy(await buildCurve(some), { ...KEEP, tasksDays: 60 }).tasks).toBe(39);
  });

  it('counts what expires later, and stays small for many tasks', async () => {
    const curve = await buildCurve(daily(2000));
    expect(removedBy(curve, { ...KEEP, logsDays: 90 }, 30).logs).toBe(1940);
    expect(JSON.stringify(curve).length).toBeLessThan(2500);
  });
});
