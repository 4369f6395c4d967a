import type { QueryAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const HOSTS = { hosts: ['web-01', 'web-02'], groups: [{ name: 'web', hosts: ['web-01', 'web-02'] }] };

describeOneDatabase('choices that a runner reads', (makeLocation) => {
  it('are hosts, groups, branches and tags, read at most once a minute', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const survey_vars = (['groups', 'hosts', 'branches', 'tags'] as const).map((type) => ({
      ...{ name: type, type: 'enum', source: { type } },
    }));
    const template_id = await sample.template({ survey_vars });
    const choices = (name: string) => admin.get(`${sample.base}/templates/${template_id}/choices/${name}`);
    const start = (environment: object) =>
      admin.post(`${sample.base}/tasks`, { template_id, environment: JSON.stringify(environment) });

    for (const [name, code] of [
      ['hosts', 'unavailable.runner_for_inventory'],
      ['branches', 'unavailable.runner_for_repository'],
    ] as const)
      for (const answer of [await choices(name), await start({ [name]: 'main' })])
        expect([answer.statusCode, answer.json().code]).toEqual([503, code]);

    const runner = await connectRunner(server, location.folder);
    runner.hello();
    await runner.receives('welcome');
    const answered = async (answer: QueryAnswer) => {
      const { query, query_id } = await runner.receives('query');
      runner.send({ type: 'answer', query_id, answer });
      return query;
    };
    const refused = choices('branches');
    await answered({ ask: 'refused', error: 'The address https://git.example is not reachable.' });
    expect([(await refused).statusCode, (await refused).json()]).toEqual([
      409,
      { code: 'conflict.repository_unreadable', error: "The repository can't be read." },
    ]);

    const together = [choices('hosts'), choices('groups')];
    expect(await answered({ ask: 'hosts', ...HOSTS })).toMatchObject({ ask: 'hosts', repository: null });
    const [hosts, groups] = await Promise.all(together);
    expect(hosts?.json()).toEqual(HOSTS.hosts.map((value) => ({ name: '', value })));
    expect(groups?.json()).toEqual([{ name: '', value: 'web' }]);

    const starting = start({ hosts: 'web-02', groups: 'web', branches: 'release' });
    await answered({ ask: 'branches', branches: ['main', 'release'] });
    expect((await starting).statusCode).toBe(201);
    const other = await start({ hosts: 'db-01', branches: 'gone' });
    expect([other.statusCode, Object.keys(other.json().fields)]).toEqual([
      400,
      ['environment.hosts', 'environment.branches'],
    ]);

    const early = choices('tags');
    expect(await answered({ ask: 'branches', branches: ['main'] })).toMatchObject({ ask: 'branches', tags: true });
    expect((await early).statusCode, 'an earlier runner reads no tags').toBe(503);
    const tagged = choices('tags');
    await answered({ ask: 'branches', branches: ['main'], tags: ['v2', 'v1'] });
    expect((await tagged).json()).toEqual(['v2', 'v1'].map((value) => ({ name: '', value })));
    expect((await start({ tags: 'v3' })).json().fields).toEqual({
      'environment.tags': 'tags must be one of the choices',
    });
    expect(runner.received.filter(({ type }) => type === 'query')).toEqual([]);
  });
});
