import { ROUTE_TABLE, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

/** Values that have an effect in Semaphore UI. */
const ASKED: Readonly<Record<string, unknown>> = {
  active: false,
  vaults: [{ vault_key_id: 1 }],
  type: 'run_at',
  app: 'bash',
};
/** A body with one refused field, whose name may be a path such as `params.limit`. */
const askFor = (name: string): object => {
  const [first = '', second] = name.split('.');
  const value = ASKED[second ?? first] ?? 'x';
  if (second === undefined) return { [first]: value };
  return { [first]: { [second === '*' ? 'unknown' : second]: value } };
};
const emptyFor = (name: string, value: unknown): object => {
  const [first = '', second] = name.split('.');
  return second === undefined ? { [first]: value } : { [first]: { [second === '*' ? 'unknown' : second]: value } };
};

describeOneDatabase('a refused field', (makeLocation) => {
  it('gets 400 with its name in every call that refuses it, unless it changes nothing', async () => {
    const admin = await (await startTestServer(await makeLocation())).signIn();
    const sample = await sampleProject(admin);
    const { base, keyId, repositoryId, inventoryId, environmentId, template } = sample;
    const template_id = await template();
    const references = { inventory_id: inventoryId, environment_id: environmentId, repository_id: repositoryId };
    const schedule = await admin.post(`${base}/schedules`, { template_id, cron_format: '@daily' });
    const webhook = await admin.post(`${base}/webhooks`, { template_id, name: 'W', sender_check: 'none' });
    const webhookId = webhook.json<{ id: number }>().id;
    const launches = `${base}/templates/${template_id}/launches`;
    const launchId = (await admin.post(launches, { name: 'L' })).json<{ id: number }>().id;
    const scheduleId = schedule.json<{ id: number }>().id;
    const runnerId = (await admin.post('/runners', { name: 'R' })).json<{ id: number }>().id;
    let made = 0;
    const calls: Readonly<Record<string, () => readonly ['post' | 'put', string, object]>> = {
      createTask: () => ['post', `${base}/tasks`, { template_id }],
      createTemplate: () => ['post', `${base}/templates`, { ...references, name: `T${++made}`, playbook: 'x.yml' }],
      updateTemplate: () => ['put', `${base}/templates/${template_id}`, {}],
      createSchedule: () => ['post', `${base}/schedules`, { template_id, cron_format: '@daily' }],
      updateSchedule: () => ['put', `${base}/schedules/${scheduleId}`, {}],
      createWebhook: () => ['post', `${base}/webhooks`, { template_id, name: `W${++made}`, sender_check: 'none' }],
      updateWebhook: () => ['put', `${base}/webhooks/${webhookId}`, {}],
      createSavedLaunch: () => ['post', launches, { name: `L${++made}` }],
      updateSavedLaunch: () => ['put', `${launches}/${launchId}`, {}],
      createInventory: () => ['post', `${base}/inventory`, { name: `I${++made}`, type: 'static', ssh_key_id: keyId }],
      updateInventory: () => ['put', `${base}/inventory/${inventoryId}`, {}],
      createKey: () => ['post', `${base}/keys`, { name: `K${++made}`, type: 'none' }],
      updateKey: () => ['put', `${base}/keys/${keyId}`, {}],
      createEnvironment: () => ['post', `${base}/environment`, { name: `E${++made}` }],
      updateEnvironment: () => ['put', `${base}/environment/${environmentId}`, {}],
      createRunner: () => ['post', '/runners', { name: `R${++made}` }],
      updateRunner: () => ['put', `/runners/${runnerId}`, { tags: [] }],
    };
    const refusing = Object.entries(ROUTE_TABLE as Record<string, RouteShape>).filter(([, { refuses }]) => refuses);
    expect(refusing.map(([name]) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
    for (const [name, { refuses = {} }] of refusing) {
      for (const [field, { accepted }] of Object.entries(refuses)) {
        const call = (more: object) => {
          const [method, path, body] = calls[name]?.() ?? (['post', '', {}] as const);
          return admin[method](path, { ...body, ...more });
        };
        const refused = await call(askFor(field));
        expect(refused.statusCode, `${name} ${field}`).toBe(400);
        expect(Object.keys(refused.json<{ fields: object }>().fields)).toEqual([field.replace('*', 'unknown')]);
        for (const value of [null, ...(accepted ?? ['', false, 0, [], {}])]) {
          const answer = await call(emptyFor(field, value));
          expect(answer.statusCode, `${name} ${field} ${JSON.stringify(value)}: ${answer.body}`).toBeLessThan(300);
        }
      }
    }
  });
});
