import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeOneDatabase('the hosts of an inventory', (makeLocation) => {
  it('are listed by a runner, for guests too, from the repository that contains the file', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { base, projectId, inventoryId, repositoryId, keyId, template } = await sampleProject(admin);
    const foreign = await sampleProject(admin, 'Foreign');
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    await runner.receives('welcome');
    const names = { hosts: ['web-01'], groups: [{ name: 'web', hosts: ['web-01'] }] };
    const path = `${base}/inventory/${inventoryId}/hosts`;
    const asking = guest.get(path);
    const asked = await runner.receives('query');
    expect(asked.query).toEqual({
      ask: 'hosts',
      inventory: { type: 'static', inventory: 'web-01' },
      repository: null,
    });
    runner.send({ type: 'answer', query_id: asked.query_id, answer: { ask: 'hosts', ...names } });
    expect((await asking).json()).toEqual(names);

    const file = { name: 'In git', type: 'file', inventory: 'hosts.yml', ssh_key_id: keyId };
    const { id } = (await admin.post(`${base}/inventory`, file)).json<{ id: number }>();
    const inGit = `${base}/inventory/${id}/hosts`;
    expect((await guest.get(inGit)).statusCode).toBe(409);
    expect((await guest.get(`${inGit}?repository_id=${foreign.repositoryId}`)).statusCode).toBe(400);
    await template({ inventory_id: id });
    for (const [requester, address, text] of [
      [admin, inGit, 'The repository cannot be reached: no.'],
      [guest, `${inGit}?repository_id=${repositoryId}`, "The inventory can't be read."],
    ] as const) {
      const answer = requester.get(address);
      const { query, query_id } = await runner.receives('query');
      expect(query).toMatchObject({ ask: 'hosts', repository: { id: repositoryId } });
      const refusal = { ask: 'refused', error: 'The repository cannot be reached: no.' } as const;
      runner.send({ type: 'answer', query_id, answer: refusal });
      expect((await answer).statusCode).toBe(409);
      expect((await answer).json().error).toBe(text);
    }
  });
});
