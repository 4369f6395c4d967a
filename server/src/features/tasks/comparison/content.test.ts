import type { TaskComparison, Trends } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { storeInputDigests } from '../../../dispatch/claim/input-digests.ts';
import { readJob } from '../../../dispatch/claim/job.read-model.ts';
import { EVERY_ENVIRONMENT } from '../../../execution-environments.ts';
import { inputDigestOf } from '../../../secrets/input-digest.ts';
import { describeEachDatabase } from '../../../testing/database/databases.ts';
import { hostNames } from '../../../testing/database/queue.ts';
import { sampleProject } from '../../../testing/sample-project.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const COMMITS = ['a'.repeat(40), 'b'.repeat(40)] as const;

describeEachDatabase('the content of the inventory and of the environment of two tasks', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const { database, master } = server.storage;
    const inputDigest = inputDigestOf(Buffer.alloc(32));
    /** Ends a task of a template, which gets its job as from a dispatcher. */
    const run = async (template_id: number, status: 'success' | 'error', commit_hash: string = COMMITS[0]) => {
      const { id } = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
      const deps = { db: database.read, master, hostNames, taskUrl: () => '', environments: EVERY_ENVIRONMENT };
      await storeInputDigests({ database, inputDigest }, await readJob(deps, id));
      await database.autocommit.updateTable('task').set({ status, commit_hash }).where('id', '=', id).execute();
      return id;
    };
    const compare = async (id: number) => {
      const { changed, unknown } = (await admin.get(`${sample.base}/tasks/${id}/comparison`)).json<TaskComparison>();
      return { changed, unknown };
    };
    const change = async (path: string, body: object) =>
      expect((await admin.put(`${sample.base}/${path}`, body)).statusCode).toBe(204);
    const flaky = async () => (await admin.get(`${sample.base}/trends`)).json<Trends>().flaky;
    return { admin, sample, database, run, compare, change, flaky };
  };

  it('is compared with what each task was given, and a changed one is a reason for another outcome', async () => {
    const { sample, run, compare, change, flaky } = await setUp();
    const template = await sample.template();
    await run(template, 'success');
    const same = await run(template, 'error');
    expect(await compare(same)).toEqual({ changed: [], unknown: [] });
    expect(await flaky()).toMatchObject([{ flips: 1 }]);
    await change(`inventory/${sample.inventoryId}`, { inventory: 'web-01 port=81' });
    const withInventory = await run(template, 'success');
    expect(await compare(withInventory)).toEqual({ changed: ['inventory_content'], unknown: [] });
    await change(`environment/${sample.environmentId}`, { secrets: [{ name: 'token', type: 'var', secret: 'one' }] });
    const withEnvironment = await run(template, 'error');
    expect(await compare(withEnvironment)).toEqual({ changed: ['environment_content'], unknown: [] });
    expect(await flaky()).toMatchObject([{ flips: 1 }]);
    await change(`templates/${template}`, { arguments: '["--flush-cache"]' });
    const withArguments = await run(template, 'success');
    expect(await compare(withArguments)).toEqual({ changed: ['environment_content', 'arguments'], unknown: [] });
    await change(`templates/${template}`, { options: { tags: ['web'] } });
    const withTags = await run(template, 'error');
    expect(await compare(withTags)).toEqual({ changed: ['tags'], unknown: [] });
    expect(await flaky()).toMatchObject([{ flips: 1 }]);
  });

  it('[S3] does not show whether a guess of a secret is right', async () => {
    const { admin, sample, run, compare, change } = await setUp();
    const template = await sample.template();
    const path = `environment/${sample.environmentId}`;
    const secret = (name: string, value: string) => ({ operation: 'create', name, type: 'var', secret: value });
    await change(path, { secrets: [secret('password', 'unknown'), secret('guess', 'unknown')] });
    await run(template, 'success');
    const { secrets } = (await admin.get(`${sample.base}/${path}`)).json<{ secrets: { id: number; name: string }[] }>();
    const other: Record<string, string> = { password: 'guess', guess: 'password' };
    await change(path, { secrets: secrets.map(({ id, name }) => ({ operation: 'update', id, name: other[name] })) });
    expect(await compare(await run(template, 'success'))).toEqual({ changed: ['environment_content'], unknown: [] });
    await run(template, 'success');
    const id = secrets.find(({ name }) => name === 'guess')?.id;
    await change(path, { secrets: [{ operation: 'update', id, secret: 'unknown' }] });
    expect(await compare(await run(template, 'success'))).toEqual({ changed: ['environment_content'], unknown: [] });
  });

  it('is unknown for a task of an earlier version, and for a file in different commits', async () => {
    const { admin, sample, database, run, compare } = await setUp();
    const inventory = { name: 'File', type: 'file', ssh_key_id: sample.keyId, inventory: 'hosts.ini' };
    const { id: inventory_id } = (await admin.post(`${sample.base}/inventory`, inventory)).json<{ id: number }>();
    const template = await sample.template({ inventory_id });
    const first = await run(template, 'success');
    expect(await compare(await run(template, 'error'))).toEqual({ changed: [], unknown: [] });
    const other = await run(template, 'error', COMMITS[1]);
    expect(await compare(other)).toEqual({ changed: ['commit_hash'], unknown: ['inventory_content'] });
    const none = { inventory_digest: null, environment_digest: null };
    await database.autocommit.updateTable('task').set(none).where('id', '=', first).execute();
    const both = ['inventory_content', 'environment_content'];
    expect(await compare(other)).toEqual({ changed: ['commit_hash'], unknown: both });
  });
});
