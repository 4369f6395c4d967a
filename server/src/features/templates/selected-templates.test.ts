import type { Label, SelectionOutcome, Task, Template } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, describeOneServer } from '../../testing/test-server.ts';

describeOneServer('selected templates', (shared) => {
  const setUp = async (name: string) => {
    const server = shared();
    const admin = await server.signIn();
    const sample = await sampleProject(admin, name);
    const { base, projectId } = sample;
    const send = async (client: Client, action: string, body: object) => {
      const answer = await client.post(`${base}/templates/selected/${action}`, body);
      expect(answer.statusCode, answer.body).toBe(200);
      const { done, refused } = answer.json<SelectionOutcome>();
      return { done, refused, codes: refused.map(({ id, code }) => [id, code]) };
    };
    const list = async () => (await admin.get(`${base}/templates`)).json<Template[]>();
    const find = async (id: number) => (await list()).find((one) => one.id === id);
    const manager = await addMember(server, `ana-${name}`, { projectId, role: 'manager' });
    return { server, admin, sample, base, send, list, find, manager };
  };

  it('are run with their defaults, and those that need answers or a build are refused with the reason', async () => {
    const { admin, sample, base, send, manager } = await setUp('run');
    const plain = await sample.template();
    const asks = await sample.template({ survey_vars: [{ name: 'region', title: 'Region', required: true }] });
    const build = await sample.template({ type: 'build', start_version: '1' });
    const deploy = await sample.template({ type: 'deploy', build_template_id: build });
    const other = await sampleProject(admin, 'Other run');
    const foreign = await other.template();
    const { done, refused, codes } = await send(manager, 'run', { ids: [plain, asks, build, deploy, foreign] });
    expect(done).toEqual([plain, build]);
    expect(codes).toEqual([
      [asks, 'bad_input'],
      [deploy, 'conflict.no_build'],
      [foreign, 'not_found'],
    ]);
    expect(refused[0]?.field_codes).toMatchObject({ 'environment.region': { code: 'answer.required' } });
    const tasks = (await admin.get(`${base}/tasks`)).json<Task[]>();
    expect(tasks.map(({ template_id }) => template_id)).toEqual([build, plain]);
  });

  it('get and lose labels, and move to a view and an inventory, each checked as a change of one', async () => {
    const { admin, sample, base, send, find, manager } = await setUp('change');
    const make = async (path: string, body: object) => (await admin.post(`${base}/${path}`, body)).json<Label>().id;
    const [web, prod] = [await make('labels', { name: 'web' }), await make('labels', { name: 'prod' })];
    const view = await make('views', { title: 'Daily' });
    const restricted = await make('views', { title: 'Hidden', restricted: true });
    const key = { type: 'static', inventory: 'db-01', ssh_key_id: sample.keyId };
    const inventory_id = await make('inventory', { name: 'Databases', ...key });
    const [one, two] = [await sample.template({ labels: [web] }), await sample.template()];
    const change = (body: object, ids = [one, two]) => send(manager, 'change', { ids, ...body });
    expect((await change({ add_labels: [prod], remove_labels: [web], view_id: view })).done).toEqual([one, two]);
    expect(await find(one)).toMatchObject({ labels: [prod], view_id: view });
    expect((await change({ inventory_id, view_id: null }, [one])).done).toEqual([one]);
    expect(await find(one)).toMatchObject({ labels: [prod], view_id: null, inventory_id });
    expect((await change({ view_id: restricted }, [two])).codes).toEqual([[two, 'bad_input']]);
    expect((await change({ add_labels: [999_999] }, [two])).refused).toMatchObject([
      { id: two, code: 'bad_input', field_codes: { 'labels.1': { code: 'field.not_of_project' } } },
    ]);
    expect(await find(two)).toMatchObject({ labels: [prod], view_id: view });
    for (const bad of [{ ids: [one] }, { ids: [], view_id: null }, { ids: [one], inventory_id: 'x' }])
      expect((await admin.post(`${base}/templates/selected/change`, bad)).statusCode).toBe(400);
  });

  it('are copied and deleted, and those that are in use or whose copy exists are refused', async () => {
    const { admin, sample, base, send, list, manager } = await setUp('copy');
    const build = await sample.template({ name: 'Build', type: 'build', start_version: '1' });
    const deploy = await sample.template({ name: 'Deploy', type: 'deploy', build_template_id: build });
    const busy = await sample.template({ name: 'Busy' });
    await admin.post(`${base}/tasks`, { template_id: busy });
    expect((await send(manager, 'copy', { ids: [build, deploy], suffix: ' (2)' })).done).toEqual([build, deploy]);
    const copies = (await list()).filter(({ name }) => name.endsWith(' (2)'));
    expect(copies.map(({ type, build_template_id }) => [type, build_template_id])).toEqual([
      ['build', null],
      ['deploy', build],
    ]);
    expect((await send(manager, 'copy', { ids: [build], suffix: ' (2)' })).codes).toEqual([
      [build, 'conflict.template_name_taken'],
    ]);
    const long = await sample.template({ name: 'x'.repeat(250) });
    expect((await send(manager, 'copy', { ids: [long], suffix: ` ${'y'.repeat(49)}` })).codes.flat()).toContain(long);
    expect((await send(manager, 'delete', { ids: [build, busy, copies[0]?.id] })).codes).toEqual([
      [build, 'in_use.template'],
      [busy, 'conflict.task_not_ended'],
    ]);
    expect((await list()).map(({ id }) => id)).not.toContain(copies[0]?.id);
  });

  it('[S2] that are restricted are refused one by one like unknown ones, or done where a grant permits it', async () => {
    const { server, admin, sample, base, send, manager } = await setUp('hidden');
    const [hidden, open] = [await sample.template({ restricted: true }), await sample.template()];
    const granted = await sample.template({ restricted: true });
    const runner = await addMember(server, 'runner-hidden', { projectId: sample.projectId, role: 'task_runner' });
    const guest = await addMember(server, 'guest-hidden', { projectId: sample.projectId, role: 'guest' });
    const users = (await admin.get('/users')).json<{ id: number; username: string }[]>();
    const grant = (username: string, rights: string[]) =>
      admin.post(`${base}/grants`, {
        ...{ template_id: granted, rights, user_id: users.find((user) => user.username === username)?.id },
      });
    for (const [username, rights] of [
      ['guest-hidden', ['run']],
      ['ana-hidden', ['run', 'edit']],
    ] as const)
      expect((await grant(username, [...rights])).statusCode).toBe(201);
    const ids = [hidden, open, granted];
    expect(await send(guest, 'run', { ids })).toMatchObject({
      done: [granted],
      codes: [
        [hidden, 'not_permitted'],
        [open, 'not_permitted'],
      ],
    });
    expect(await send(runner, 'run', { ids })).toMatchObject({
      done: [open],
      codes: [
        [hidden, 'not_found'],
        [granted, 'not_found'],
      ],
    });
    const inventory = { inventory_id: sample.inventoryId };
    expect(await send(manager, 'change', { ids, ...inventory })).toMatchObject({
      done: [open, granted],
      codes: [[hidden, 'not_found']],
    });
    for (const action of ['copy', 'delete'])
      expect((await send(manager, action, { ids: [hidden, granted] })).codes, action).toEqual([
        [hidden, 'not_found'],
        [granted, 'not_permitted.restriction_owners'],
      ]);
    const refused = await guest.post(`${base}/templates/selected/delete`, { ids });
    expect(refused.statusCode).toBe(403);
  });
});
