import type { Schedule, SurveyChoice, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { describeOneServer } from '../../testing/test-server.ts';
import { webhookProject } from '../../testing/webhook-project.ts';

describeOneServer('choices of a survey from a source', (shared) => {
  const setUp = async (name: string) => {
    const admin = await shared().signIn();
    const sample = await sampleProject(admin, name);
    const build = await sample.template({ type: 'build', start_version: '1.0' });
    const { database } = shared().storage;
    /** Ends a build of a version. */
    const built = async (status: 'success' | 'error' = 'success') => {
      const { id, version } = (await admin.post(`${sample.base}/tasks`, { template_id: build })).json<Task>();
      await database.autocommit.updateTable('task').set({ status }).where('id', '=', id).execute();
      return version;
    };
    const survey = (source: object, more: object = {}) => ({
      survey_vars: [{ name: 'release', title: 'Release', type: 'enum', source, ...more }],
    });
    const versions = { type: 'versions', template_id: build };
    const start = (template_id: number, environment: object) =>
      admin.post(`${sample.base}/tasks`, { template_id, environment: JSON.stringify(environment) });
    const choices = (template: number, client = admin, variable = 'release') =>
      client.get(`${sample.base}/templates/${template}/choices/${variable}`);
    return { admin, sample, build, built, survey, versions, start, choices };
  };

  it('are the versions of the successful builds of a template, the newest first', async () => {
    const { admin, sample, built, survey, versions, start, choices } = await setUp('Versions');
    await built();
    await built('error');
    await built();
    const template = await sample.template(survey(versions));
    const names = (await choices(template)).json<SurveyChoice[]>().map(({ value }) => value);
    expect(names).toEqual(['1.2', '1.0']);
    const started = await start(template, { release: '1.0' });
    expect([started.statusCode, started.json<Task>().environment]).toEqual([201, '{"release":"1.0"}']);
    const refused = await start(template, { release: '1.1' });
    expect([refused.statusCode, refused.json().fields]).toEqual([
      400,
      { 'environment.release': 'Release must be one of the choices' },
    ]);
    expect((await choices(template, admin, 'other')).statusCode).toBe(400);
  });

  it('check several answers, and no default that is not replaced', async () => {
    const { sample, built, survey, versions, start } = await setUp('Several');
    await built();
    await built();
    const several = await sample.template(survey(versions, { type: 'multiple' }));
    const both = await start(several, { release: ['1.0', '1.1'] });
    expect(both.json<Task>().environment).toBe('{"release":["1.0","1.1"]}');
    expect((await start(several, { release: ['1.0', '9'] })).statusCode).toBe(400);
    const fallback = await sample.template(survey(versions, { default_value: 'latest' }));
    expect((await start(fallback, {})).json<Task>().environment).toBe('{"release":"latest"}');
    expect((await start(fallback, { release: 'latest' })).statusCode).toBe(400);
  });

  it('need a build template of the project, and refuse tasks once it is deleted', async () => {
    const { admin, sample, build, built, survey, versions, start, choices } = await setUp('Deleted');
    const foreign = await setUp('Foreign');
    const plain = await sample.template();
    const template = await sample.template(survey(versions));
    const path = `${sample.base}/templates/${template}`;
    for (const template_id of [plain, foreign.build, null]) {
      const refused = await admin.put(path, survey({ ...versions, template_id }));
      expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([
        400,
        ['survey_vars.0.source.template_id'],
      ]);
    }
    await built();
    expect((await admin.del(`${sample.base}/templates/${build}`)).statusCode).toBe(204);
    for (const answer of [await choices(template), await start(template, { release: '1.0' })])
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        { code: 'conflict.choices', params: { title: 'Release' } },
      ]);
  });

  it('are read for users who may start tasks', async () => {
    const { sample, survey, versions, choices } = await setUp('Rights');
    const template = await sample.template(survey(versions));
    const { projectId } = sample;
    const runner = await addMember(shared(), 'choice-runner', { projectId, role: 'task_runner' });
    const guest = await addMember(shared(), 'choice-guest', { projectId, role: 'guest' });
    expect((await choices(template, runner)).json()).toEqual([]);
    expect((await choices(template, guest)).statusCode).toBe(403);
  });

  it('are checked when a webhook starts a task, whose answers were stored before', async () => {
    const { admin, sample, built, survey, versions } = await setUp('Webhooks');
    const { send } = await webhookProject(shared(), admin, 'Sender');
    await built();
    const template_id = await sample.template(survey(versions));
    const hook = await admin.post(`${sample.base}/webhooks`, {
      ...{ name: 'Release', template_id, sender_check: 'none' },
      extractors: [{ source: 'body', path: 'tag', pattern: '', target: 'answer', variable: 'release' }],
    });
    expect(hook.statusCode, hook.body).toBe(201);
    const address = new URL(hook.json<{ address: string }>().address).pathname;
    const call = (tag: string) => send(address, { tag });
    const refused = await call('9');
    expect([refused.statusCode, refused.json().fields]).toEqual([
      400,
      { 'environment.release': 'Release must be one of the choices' },
    ]);
    expect((await call('1.0')).json()).toMatchObject({ result: 'started' });
  });

  it('are checked when a schedule falls due, which names the answer that is no choice', async () => {
    const { admin, sample, survey, versions } = await setUp('Schedules');
    const template_id = await sample.template(survey(versions));
    const created = await admin.post(`${sample.base}/schedules`, {
      ...{ name: 'Nightly', template_id, interval_seconds: 60, active: true },
      launch_values: { environment: '{"release":"1.0"}' },
    });
    expect(created.statusCode, created.body).toBe(201);
    const { id } = created.json<Schedule>();
    const { database } = shared().storage;
    const past = new Date(Date.now() - 1000).toISOString();
    await database.autocommit.updateTable('schedule').set({ next_due: past }).where('id', '=', id).execute();
    // A change of another schedule wakes the engine.
    await admin.post(`${sample.base}/schedules`, { name: 'Other', template_id, cron_format: '@yearly' });
    const problem = async () => (await admin.get(`${sample.base}/schedules/${id}`)).json<{ problem: object }>().problem;
    await expect.poll(problem, { timeout: 10_000 }).toMatchObject({ kind: 'schedule.not_started' });
    expect(JSON.stringify(await problem())).toContain('Release must be one of the choices');
    expect((await admin.get(`${sample.base}/tasks`)).json()).toEqual([]);
  });
});
