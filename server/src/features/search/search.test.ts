import type { SearchHit, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

describeEachDatabase('the search', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const find = async (q: string, client: Client = admin, first?: number) => {
      const project = first === undefined ? '' : `&project_id=${first}`;
      const answer = await client.get(`/search?q=${encodeURIComponent(q)}${project}`);
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<SearchHit[]>();
    };
    const names = async (...search: Parameters<typeof find>) =>
      (await find(...search)).map(({ kind, name }) => `${kind} ${name}`);
    return { server, admin, find, names };
  };

  it('finds objects of every kind by part of their name, in any case and alphabet', async () => {
    const { server, admin, find, names } = await setUp();
    const { base, projectId, template, keyId } = await sampleProject(admin, 'Shop');
    const id = await template({ name: 'Обновить Сервер' });
    const create = (path: string, body: object) => admin.post(`${base}/${path}`, body);
    await create('keys', { name: 'Schlüssel ÄRGER', type: 'none' });
    await create('environment', { name: 'Ärgerliche Werte' });
    await create('inventory', { name: 'Große Ärger-Hosts', type: 'static', inventory: 'x', ssh_key_id: keyId });
    await create('repositories', {
      name: 'kein ärger',
      git_url: 'https://git.example/x',
      git_branch: 'm',
      ssh_key_id: keyId,
    });
    await create('schedules', { name: 'ärgern', cron_format: '@daily', template_id: id });
    await server.storage.database.write((tx) =>
      tx.insertInto('host').values({ project_id: projectId, host: 'WEB-01.example.org', runs: '[]' }).execute(),
    );
    expect(await names('СЕРВ')).toEqual(['template Обновить Сервер']);
    expect(await names('сервер обнов')).toEqual(['template Обновить Сервер']);
    expect(await names('ärger')).toEqual([
      'inventory Große Ärger-Hosts',
      'key Schlüssel ÄRGER',
      'repository kein ärger',
      'environment Ärgerliche Werte',
      'schedule ärgern',
    ]);
    expect((await find('ÄRGERN'))[0]).toMatchObject({ kind: 'schedule', detail: 'Обновить Сервер', status: null });
    expect(await names('web-01.EX')).toEqual(['host WEB-01.example.org']);
    for (const text of ['', '  ', '*', '%', '_', 'web-0?', '[w]eb', '.*', 'web\\', '(', ']', '^web'])
      expect(await names(text), text).toEqual([]);
  });

  it('finds the name that was typed whole among many that contain its parts', async () => {
    const { admin, find } = await setUp();
    const { template } = await sampleProject(admin, 'Shop');
    for (const number of [193, 293, 393, 493, 593, 693, 793, 893, 93, 930]) await template({ name: `Host ${number}` });
    const found = (await find('host 93')).map(({ name }) => name);
    expect(found).toHaveLength(8);
    expect(found.slice(0, 3)).toEqual(['Host 93', 'Host 930', 'Host 193']);
  });

  it('finds tasks by number, template and message, the newest first', async () => {
    const { admin, find } = await setUp();
    const { base, template } = await sampleProject(admin, 'Shop');
    const [deploy, other] = [await template({ name: 'Deploy' }), await template({ name: 'Other' })];
    const start = async (template_id: number, message = '') =>
      (await admin.post(`${base}/tasks`, { template_id, message })).json<Task>().id;
    const [one, two] = [await start(deploy), await start(other, 'Release of DEPLOYMENT 7')];
    const tasks = async (q: string) => (await find(q)).filter(({ kind }) => kind === 'task').map(({ id }) => id);
    expect(await tasks('deploy')).toEqual([two, one]);
    expect(await tasks(`#${one}`)).toEqual([one]);
    expect((await tasks(String(two)))[0]).toBe(two);
    expect((await find('deployment'))[0]).toMatchObject({
      name: 'Other',
      detail: 'Release of DEPLOYMENT 7',
      status: 'waiting',
    });
    expect((await find('Other'))[0]).toMatchObject({ kind: 'template', id: other, status: 'waiting' });
    expect(await tasks('2147483648')).toEqual([]);
  });

  it('[S2] answers what the caller may see only, at most eight of a kind, and the current project first', async () => {
    const { server, admin, find } = await setUp();
    const [mine, other] = [await sampleProject(admin, 'Mine'), await sampleProject(admin, 'Other')];
    for (let n = 0; n < 9; n++) await mine.template({ name: `Deploy ${n}` });
    const far = await other.template({ name: 'Re-deploy' });
    const hidden = await mine.template({ name: 'Deploy secret', restricted: true });
    await admin.post(`${mine.base}/tasks`, { template_id: hidden, message: 'deploy secret' });
    await admin.post(`${mine.base}/schedules`, { name: 'deploy secret', cron_format: '@daily', template_id: hidden });
    const [first] = await find('deploy', admin, other.projectId);
    expect(first).toMatchObject({ id: far, project_id: other.projectId, project_name: 'Other' });
    expect((await find('deploy')).filter(({ kind }) => kind === 'template')).toHaveLength(8);
    expect((await find('secret')).map(({ kind }) => kind)).toEqual(['template', 'task', 'schedule']);
    const manager = await addMember(server, 'ana', { projectId: mine.projectId, role: 'manager' });
    const found = await find('deploy', manager);
    expect(new Set(found.map(({ project_id }) => project_id))).toEqual(new Set([mine.projectId]));
    expect(await find('secret', manager)).toEqual([]);
    expect(await find('deploy', await addMember(server, 'outsider'))).toEqual([]);
    // Hits that the caller must not see, and those of other projects, do not displace the others.
    const start = async (project: typeof mine, template_id: number, message: string) =>
      (await admin.post(`${project.base}/tasks`, { template_id, message })).json<Task>().id;
    const seen = await start(mine, await mine.template(), 'needle in the open');
    for (let n = 0; n < 8; n++) await start(mine, hidden, `needle ${n}`);
    expect((await find('needle', manager)).map(({ id }) => id)).toEqual([seen]);
    for (let n = 0; n < 8; n++) await start(other, far, 'needle open');
    expect((await find('needle open', admin, mine.projectId))[0]?.id).toBe(seen);
    expect((await admin.get(`/search?q=${'x'.repeat(101)}`)).statusCode).toBe(400);
  });
});
