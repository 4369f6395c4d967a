import { MAX_LABELS } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeOneDatabase('simultaneous calls that create objects', (makeLocation) => {
  it('store one object if they use the same name, and the others get a conflict', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, keyId } = await sampleProject(admin);
    for (const [path, body] of [
      ['keys', { name: 'twin', type: 'none' }],
      ['environment', { name: 'twin' }],
      ['views', { title: 'twin' }],
      ['inventory', { name: 'twin', type: 'static', ssh_key_id: keyId }],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(`${base}/${path}`, body)));
      expect(answers.map(({ statusCode }) => statusCode).toSorted(), path).toEqual([201, ...Array(7).fill(409)]);
    }
  });

  it('cause no server error while their project is being deleted', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const template_id = await sample.template();
    const answers = Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        [
          () => admin.post(`${sample.base}/tasks`, { template_id }),
          () => admin.post(`${sample.base}/views`, { title: `view ${n}` }),
          () => admin.post(`${sample.base}/keys`, { name: `key ${n}`, type: 'none' }),
          () => admin.get(`${sample.base}/templates`),
        ][n % 4]?.(),
      ),
    );
    const { database } = server.storage;
    await database.write(async (tx) => {
      await tx.deleteFrom('template').execute();
      await tx.deleteFrom('inventory').execute();
      await tx.deleteFrom('repository').execute();
      await tx.deleteFrom('project').execute();
    });
    for (const answer of await answers) {
      expect([200, 201, 400, 404, 409], answer?.body).toContain(answer?.statusCode);
    }
  });
});

describeRemoteDatabase('simultaneous calls that create labels', (makeLocation) => {
  it('never exceed the maximum of the project', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, projectId: project_id } = await sampleProject(admin);
    const label = (n: number) => ({ project_id, name: `label ${n}`, colour: 'teal' as const });
    const rows = Array.from({ length: MAX_LABELS - 1 }, (_, n) => label(n));
    await server.storage.database.write((tx) => tx.insertInto('label').values(rows).execute());
    const created = Array.from({ length: 8 }, (_, n) => admin.post(`${base}/labels`, { ...label(MAX_LABELS + n) }));
    const statuses = (await Promise.all(created)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([201, ...Array(7).fill(409)]);
  });
});
