import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

interface Listed {
  readonly name: string;
}

describeEachDatabase('shared answers', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const member = await addMember(server, 'ana', { projectId: sample.projectId, role: 'manager' });
    const templates = `${sample.base}/templates`;
    const list = async (client: typeof admin) => {
      const answer = await client.get(templates);
      return { etag: answer.headers.etag, names: answer.json<Listed[]>().map(({ name }) => name) };
    };
    return { admin, sample, member, list };
  };

  it('[S2] a caller who must not see a template gets no answer with it', async () => {
    const { admin, sample, member, list } = await setUp();
    await sample.template({ name: 'Open' });
    await sample.template({ name: 'Secret', restricted: true });
    const clients = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? admin : member));
    const lists = await Promise.all(clients.map(list));
    for (const [index, { names }] of lists.entries())
      expect(names.includes('Secret'), `call ${index}`).toBe(index % 2 === 0);
    expect(new Set(lists.map(({ etag }) => etag)).size).toBe(2);
  });

  it('an answer contains every change that was answered before the call, also while other calls wait', async () => {
    const { admin, sample, list } = await setUp();
    for (let count = 1; count <= 10; count += 1) {
      const others = [list(admin), list(admin), list(admin)];
      await sample.template({ name: `Number ${count}` });
      expect((await list(admin)).names).toHaveLength(count);
      await Promise.all(others);
    }
  });
});
