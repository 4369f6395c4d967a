import type { Webhook } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { webhookProject } from '../../testing/webhook-project.ts';

const PUBLISHED = { action: 'published', tag: 'v2.14.0' };
const CANARY = 'hunter2-canary';

const answers = (given: object) => ({ launch_values: { environment: JSON.stringify(given) } });

describeEachDatabase('[S3] the secret answers of a webhook', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const project = await webhookProject(server, admin, 'Hooks');
    const { id, path } = await project.create(answers({ password: CANARY, count: 3 }));
    const url = `${project.base}/${id}`;
    const { read } = server.storage.database;
    return {
      ...{ ...project, admin, id, path, url },
      read: async () => (await admin.get(url)).json<Webhook>(),
      stored: () => read.selectFrom('webhook_secret').selectAll().execute(),
      given: () => read.selectFrom('task_secret').selectAll().execute(),
    };
  };

  it('are given to its tasks, encrypted, and answered nowhere', async () => {
    const { admin, answered, base, given, path, read, sample, stored, tasks, url } = await setUp();
    expect(await read()).toMatchObject({
      launch_values: { environment: '{"count":3}' },
      secret_answers: ['password'],
    });
    expect(await answered(path, PUBLISHED)).toMatchObject({ status: 202 });
    expect(await tasks()).toMatchObject([{ environment: '{"count":3,"release":"2.14.0"}' }]);
    expect(await given()).toMatchObject([{ name: 'password' }]);
    const everything = [JSON.stringify([await stored(), await given()])];
    for (const of of [base, url, `${url}/calls`, `${sample.base}/events`, `${sample.base}/tasks`])
      everything.push((await admin.get(of)).body);
    for (const text of everything) expect(text).not.toContain(CANARY);
  });

  it('are kept while they are left out, removed by an empty text, and deleted with the webhook', async () => {
    const { admin, create, read, stored, url } = await setUp();
    const [first] = await stored();
    expect((await admin.put(url, { name: 'Other' })).statusCode).toBe(204);
    expect(await stored()).toEqual([first]);
    expect((await admin.put(url, answers({ count: 4 }))).statusCode).toBe(204);
    expect(await read()).toMatchObject({
      launch_values: { environment: '{"count":4}' },
      secret_answers: ['password'],
    });
    expect((await admin.put(url, answers({ password: '' }))).statusCode).toBe(204);
    expect(await read()).toMatchObject({ secret_answers: [] });
    const { id } = await create({ name: 'Second', ...answers({ password: CANARY }) });
    expect(await stored()).toHaveLength(1);
    expect((await admin.del(url.replace(/\d+$/, String(id)))).statusCode).toBe(204);
    expect(await stored()).toEqual([]);
  });

  it('start no task once the survey would show them', async () => {
    const { admin, answered, calls, id, path, sample, tasks, template } = await setUp();
    const of = `${sample.base}/templates/${template}`;
    const { survey_vars } = (await admin.get(of)).json<{ survey_vars: { name: string }[] }>();
    const shown = survey_vars.map((variable) => (variable.name === 'password' ? { ...variable, type: '' } : variable));
    expect((await admin.put(of, { survey_vars: shown })).statusCode).toBe(204);
    expect(await answered(path, PUBLISHED)).toMatchObject({ status: 400 });
    const [call] = await calls(id);
    expect(call).toMatchObject({ result: 'refused' });
    expect(call?.description).toContain('answer it again in the schedule or the webhook');
    expect(await tasks()).toEqual([]);
  });
});
