import { type Label, MAX_LABELS, type Template } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeEachDatabase('labels', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const label = async (name: string, base = sample.base) =>
      (await admin.post(`${base}/labels`, { name, colour: 'teal' })).json<Label>().id;
    const labelsOf = async (id: number) => (await admin.get(`${sample.base}/templates/${id}`)).json<Template>().labels;
    return { server, admin, sample, label, labelsOf };
  };

  it('are created, renamed and recoloured, and each change is in the activity', async () => {
    const { admin, sample, label } = await setUp();
    const [web, prod] = [await label('web'), await label('prod')];
    expect((await admin.put(`${sample.base}/labels/${web}`, { name: 'web tier', colour: 'moss' })).statusCode).toBe(
      204,
    );
    expect((await admin.get(`${sample.base}/labels`)).json<Label[]>()).toEqual([
      { id: prod, project_id: sample.projectId, name: 'prod', colour: 'teal' },
      { id: web, project_id: sample.projectId, name: 'web tier', colour: 'moss' },
    ]);
    const taken = await admin.post(`${sample.base}/labels`, { name: 'prod' });
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'conflict.label_name_taken']);
    expect((await admin.post(`${sample.base}/labels`, { name: 'x', colour: 'red' })).statusCode).toBe(400);
    const [event] = (await admin.get(`${sample.base}/events/last`)).json<{ description: string }[]>();
    expect(event?.description).toMatch(/^Label web tier changed/);
  });

  it('belong to templates of their project only, and a deleted label leaves its templates', async () => {
    const { admin, sample, label, labelsOf } = await setUp();
    const [web, prod] = [await label('web'), await label('prod')];
    const id = await sample.template({ labels: [prod, web, web] });
    expect(await labelsOf(id)).toEqual([web, prod]);
    const path = `${sample.base}/templates/${id}`;
    const before = String((await admin.get(path)).headers.etag);
    expect((await admin.put(path, { description: 'kept' })).statusCode).toBe(204);
    expect(await labelsOf(id)).toEqual([web, prod]);
    expect((await admin.put(path, { labels: [prod] })).statusCode).toBe(204);
    expect(await labelsOf(id)).toEqual([prod]);
    expect((await admin.put(path, { labels: [] }, { 'if-match': before })).statusCode).toBe(409);
    const other = await sampleProject(admin, 'Other');
    const refused = await admin.put(path, { labels: [await label('foreign', other.base)] });
    expect([refused.statusCode, refused.json().fields]).toEqual([400, { 'labels.0': expect.any(String) }]);
    expect((await admin.del(`${sample.base}/labels/${prod}`)).statusCode).toBe(204);
    expect((await admin.get(`${sample.base}/templates`)).json<Template[]>()).toMatchObject([{ id, labels: [] }]);
  });

  it('are at most five hundred in a project', async () => {
    const { server, admin, sample } = await setUp();
    const many = Array.from({ length: MAX_LABELS }, (_, n) => ({ name: `label ${n}`, colour: 'teal' as const }));
    await server.storage.database.write((tx) =>
      tx
        .insertInto('label')
        .values(many.map((label) => ({ ...label, project_id: sample.projectId })))
        .execute(),
    );
    const full = await admin.post(`${sample.base}/labels`, { name: 'one more' });
    expect([full.statusCode, full.json().code]).toEqual([409, 'conflict.labels_full']);
  });
});
