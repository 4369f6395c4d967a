import { expect, it } from 'vitest';
import { writeSilentAlert } from '../features/alerts/silent-alert.store.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import { alertedProject } from '../testing/alerted-project.ts';
import { describeEachDatabase, type MakeLocation } from '../testing/database/databases.ts';
import { startReceiver } from '../testing/http-receiver.ts';

const NOW = new Date('2026-11-21T10:05:00.000Z');
const SILENT = {
  ...{ step: 3, name: 'Copy files', line: 12, since: '2026-11-21T10:00:00.000Z', usual_ms: 4_000 },
  ...{ hosts: ['web-1', 'web-2'], total: 5 },
};

const setUp = async (makeLocation: MakeLocation, project: object) => {
  const location = await startReceiver();
  const { server, admin, sample, template, receiver } = await alertedProject(await makeLocation(), { project });
  await receiver(location.url);
  const start = async () => {
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>();
    for (const event of ['accepted', 'started'] as const)
      await applyEvent(server.storage.database.autocommit, id, event, NOW);
    return id;
  };
  const write = (id: number, silent = SILENT) =>
    writeSilentAlert(server.storage.database, server.alerting.channels, id, silent, NOW);
  return { location, server, sample, template, start, write };
};

describeEachDatabase('an alert about silent hosts', (makeLocation) => {
  it('is stored once for each task and step, also if several servers find the hosts', async () => {
    const { location, server, sample, template, start, write } = await setUp(makeLocation, {
      alert_silent_hosts: true,
    });
    const id = await start();
    const stored = await Promise.all([write(id), write(id), write(id)]);
    expect(stored.filter(Boolean)).toHaveLength(1);
    server.alerting.sender.wake();
    await location.until(1);
    await server.alerting.sender.idle();
    expect(location.posts).toHaveLength(1);
    expect(location.posts[0]?.body).toMatchObject({
      event: 'task.hosts_silent',
      project: { id: sample.projectId, name: 'Shop' },
      template: { id: template, name: 'Deploy' },
      task: { id, playbook: 'site.yml' },
      silent_hosts: SILENT,
    });
    const text = String(location.posts[0]?.body.text);
    expect(text).toContain(`Deploy #${id}: 5 hosts do not answer\n`);
    expect(text).toContain('Silent hosts: web-1, web-2 and 3 more\nStep: Copy files\n');
    expect(text).toContain('Usual time: 4 sec');
    expect([await write(id, { ...SILENT, step: 4 }), await write(await start())]).toEqual([true, true]);
  });

  it('is not stored by default, and for a task that has ended', async () => {
    const { start, write } = await setUp(makeLocation, {});
    expect(await write(await start())).toBe(false);
    const { server, start: startWanted, write: writeWanted } = await setUp(makeLocation, { alert_silent_hosts: true });
    const id = await startWanted();
    await applyEvent(server.storage.database.autocommit, id, 'failed', NOW);
    expect(await writeWanted(id)).toBe(false);
  });
});
