import '@signalbox/contract/testing/print-app';
import type { InstalledApp } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { LINK_PATH } from '../dispatch/session/runner-hub.ts';
import { describeOneDatabase } from '../testing/database/databases.ts';
import { ScriptedRunner } from '../testing/runners/scripted-runner.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { type Client, startTestServer, type TestServer } from '../testing/test-server.ts';

const PRINT = { name: 'print', version: '1' };
const ANSIBLE = { name: 'ansible', version: '2.14.18' };

const connect = async (server: TestServer, admin: Client, apps: InstalledApp[]): Promise<ScriptedRunner> => {
  const { token } = (await admin.post('/runners', { name: 'edge' })).json<{ token: string }>();
  const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
  await runner.open();
  runner.hello([], { apps });
  await runner.receives('welcome');
  return runner;
};

describeOneDatabase('an app in the table of apps', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const input = { app: 'print', playbook: 'README.md', inventory_id: null };
    return { server, admin, sample, input, templateId: await sample.template(input) };
  };

  it('has templates with the fields that the app needs, and no others', async () => {
    const { admin, sample, input, templateId } = await setUp();
    const path = `${sample.base}/templates/${templateId}`;
    expect((await admin.get(path)).json()).toMatchObject(input);
    const extra = { inventory_id: sample.inventoryId, playbook: 'other.txt' };
    expect((await admin.put(path, extra)).statusCode).toBe(204);
    expect((await admin.get(path)).json()).toMatchObject({ ...input, playbook: 'other.txt' });
    const ansible = await admin.put(path, { app: 'ansible' });
    expect(ansible.statusCode).toBe(400);
    expect(ansible.json().fields).toHaveProperty('inventory_id');
    const unknown = await admin.post(`${sample.base}/templates`, { ...input, name: 'Unknown', app: 'terraform' });
    expect(unknown.json().field_codes).toMatchObject({ app: { code: 'field.not_supported' } });
  });

  it('rejects options that the app does not have', async () => {
    const { admin, sample, templateId } = await setUp();
    const options = { limit: 'web', dry_run: true, diff: true, arguments: '["-v"]' };
    const all = await admin.post(`${sample.base}/tasks`, { template_id: templateId, ...options });
    expect(Object.keys(all.json<{ fields: object }>().fields).toSorted()).toEqual(Object.keys(options).toSorted());
    for (const [name, value] of Object.entries(options)) {
      const answer = await admin.post(`${sample.base}/tasks`, { template_id: templateId, [name]: value });
      expect(answer.json(), name).toMatchObject({
        field_codes: { [name]: { code: 'field.not_of_app', params: { app: 'Print' } } },
      });
    }
  });

  it('gets its tasks to a runner as soon as that runner announces it', async () => {
    const { server, admin, sample, templateId } = await setUp();
    const runner = await connect(server, admin, [ANSIBLE]);
    const print = await admin.post(`${sample.base}/tasks`, { template_id: templateId });
    await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    const first = await runner.receives('job');
    expect(first.job).toMatchObject({ app: 'ansible', inventory: { inventory: 'web-01' } });
    runner.send({ type: 'heartbeat', runs: [], apps: [ANSIBLE, PRINT] });
    const { job } = await runner.receives('job');
    expect(job).toMatchObject({ app: 'print', task_id: print.json().id, playbook: 'README.md' });
    expect(job).not.toHaveProperty('inventory');
    expect(job).not.toHaveProperty('limit');
    expect((await admin.get('/runners')).json()).toMatchObject([{ apps: [ANSIBLE, PRINT] }]);
    expect((await admin.get('/info')).json()).toMatchObject({ apps: [ANSIBLE, PRINT], ansible: ANSIBLE.version });
  });

  it('starts no task on a runner that does not announce it', async () => {
    const { server, admin, sample } = await setUp();
    const runner = await connect(server, admin, []);
    const task = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    runner.send({ type: 'heartbeat', runs: [], apps: [ANSIBLE] });
    expect((await runner.receives('job')).job.task_id).toBe(task.json().id);
  });
});
