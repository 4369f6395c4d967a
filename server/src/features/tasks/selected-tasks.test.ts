import type { Schedule, SelectionOutcome, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, describeOneServer } from '../../testing/test-server.ts';

const outcome = async (client: Client, path: string, body: object) => {
  const answer = await client.post(path, body);
  expect(answer.statusCode, answer.body).toBe(200);
  const { done, refused } = answer.json<SelectionOutcome>();
  return { done, codes: refused.map(({ id, code }) => [id, code]) };
};

describeOneServer('selected tasks and schedules', (shared) => {
  it('of tasks, those that have ended are deleted', async () => {
    const admin = await shared().signIn();
    const [{ base, template }, other] = [await sampleProject(admin, 'Tasks'), await sampleProject(admin, 'Foreign')];
    const start = async (project = base, make = template) =>
      (await admin.post(`${project}/tasks`, { template_id: await make() })).json<Task>().id;
    const [ended, waiting, foreign] = [await start(), await start(), await start(other.base, other.template)];
    for (const [project, id] of [
      [base, ended],
      [other.base, foreign],
    ] as const)
      await admin.post(`${project}/tasks/${id}/stop`, {});
    expect(await outcome(admin, `${base}/tasks/selected/delete`, { ids: [ended, waiting, foreign] })).toEqual({
      done: [ended],
      codes: [
        [waiting, 'conflict.task_not_ended'],
        [foreign, 'not_found'],
      ],
    });
    expect((await admin.get(`${base}/tasks`)).json<Task[]>().map(({ id }) => id)).toEqual([waiting]);
  });

  it('[S2] of schedules, all but those of hidden templates are paused and resumed', async () => {
    const server = shared();
    const admin = await server.signIn();
    const { base, projectId, template } = await sampleProject(admin, 'Schedules');
    const schedule = async (name: string, input: object = {}) =>
      (
        await admin.post(`${base}/schedules`, { name, cron_format: '@yearly', template_id: await template(input) })
      ).json<Schedule>().id;
    const [one, two, hidden] = [
      await schedule('one'),
      await schedule('two'),
      await schedule('hidden', { restricted: true }),
    ];
    const manager = await addMember(server, 'ana-schedules', { projectId, role: 'manager' });
    const set = (active: boolean, ids = [one, two, hidden]) =>
      outcome(manager, `${base}/schedules/selected/active`, { ids, active });
    const active = async () =>
      (await admin.get(`${base}/schedules`)).json<Schedule[]>().flatMap((one) => (one.active ? [one.name] : []));
    expect(await set(false)).toEqual({ done: [one, two], codes: [[hidden, 'not_found']] });
    expect(await active()).toEqual(['hidden']);
    expect((await set(true, [two])).done).toEqual([two]);
    expect((await set(true, [two])).done).toEqual([two]);
    expect(await active()).toEqual(['hidden', 'two']);
    const events = (await admin.get(`${base}/events/last`)).json<{ kind: string }[]>().map(({ kind }) => kind);
    expect(events.slice(0, 3)).toEqual(['schedule.resumed', 'schedule.paused', 'schedule.paused']);
  });
});
