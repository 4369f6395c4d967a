import type { HostFailures, HostPage, HostRuns } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { playedHosts } from '../testing/played-hosts.ts';
import { addMember } from '../testing/sample-project.ts';

const EARLY = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-21T10:00:00.000Z';

describeEachDatabase('the page of a host', (makeLocation) => {
  it('answers how each template last ended on the host, and when a run last reached it', async () => {
    const { admin, sample, play, idOf } = await playedHosts(makeLocation);
    const [patch, deploy] = [await sample.template({ name: 'Patch' }), await sample.template({ name: 'Deploy' })];
    const first = await play(patch, EARLY);
    const last = await play(deploy, LATER);
    const page = async (name: string) => (await admin.get(`${sample.base}/hosts/${await idOf(name)}`)).json<HostPage>();
    const changed = await page('web-1');
    expect(changed).toMatchObject({ last_contact: LATER, run_count: 2, failure_count: 0 });
    expect(
      changed.templates.map(({ template_id, task_id, outcome, changed: steps }) => [
        template_id,
        task_id,
        outcome,
        steps,
      ]),
    ).toEqual([
      [deploy, last, 'changed', 1],
      [patch, first, 'changed', 1],
    ]);
    expect(changed.inventories).toHaveLength(1);
    expect(changed.templates[1]?.days.at(-1)).toBe('changed');
    const failed = await page('web-2');
    expect(failed.templates[0]).toMatchObject({ outcome: 'failed', title: 'broken', cause: null, line: 21 });
    expect(await page('web-3')).toMatchObject({ last_contact: null, templates: [{ outcome: 'unreachable' }, {}] });
  });

  it('answers the runs in pages and the failures, and no task that was deleted', async () => {
    const { server, admin, sample, play, idOf } = await playedHosts(makeLocation);
    const removeLog = (id = 0) =>
      server.storage.database.autocommit.updateTable('task').set({ log_removed: 1 }).where('id', '=', id).execute();
    const patch = await sample.template({ name: 'Patch' });
    const ids = [await play(patch, EARLY), await play(patch, LATER)];
    const base = `${sample.base}/hosts/${await idOf('web-2')}`;
    const runs = async (query = '') => (await admin.get(`${base}/runs${query}`)).json<HostRuns>();
    expect(await runs('?from=2&limit=1')).toMatchObject({
      first: 2,
      total: 2,
      runs: [{ task_id: ids[0], failures: 1 }],
    });
    const failures = async () => (await admin.get(`${base}/failures`)).json<HostFailures>().failures;
    expect(await failures()).toMatchObject([
      { failure: { title: 'broken', template_id: patch }, runs: 2, time: LATER, task_id: ids[1], line: 21 },
    ]);
    await removeLog(ids[1]);
    expect((await failures())[0]).toMatchObject({ task_id: ids[1], line: 0 });
    await admin.del(`${sample.base}/tasks/${ids[1]}`);
    expect((await runs()).runs.map(({ task_id }) => task_id)).toEqual([null, ids[0]]);
    expect((await failures())[0]?.task_id).toBeNull();
    await admin.del(`${sample.base}/templates/${patch}`);
    expect(await runs()).toMatchObject({ total: 0, runs: [] });
    expect((await admin.get(`${sample.base}/hosts/99999/runs`)).statusCode).toBe(404);
  });

  it('hides the runs, failures and counts of templates that the caller must not see', async () => {
    const { server, admin, sample, play, idOf } = await playedHosts(makeLocation);
    const [seen, secret] = [await sample.template({ name: 'Seen' }), await sample.template({ name: 'Secret' })];
    await play(seen, EARLY);
    await play(secret, LATER);
    await admin.put(`${sample.base}/templates/${secret}`, { restricted: true });
    const guest = await addMember(server, 'guest', { projectId: sample.projectId, role: 'guest' });
    const base = `${sample.base}/hosts/${await idOf('web-2')}`;
    const page = (await guest.get(base)).json<HostPage>();
    expect(page).toMatchObject({ run_count: 1, failure_count: 1, last_contact: EARLY });
    expect(page.templates.map(({ template_id }) => template_id)).toEqual([seen]);
    const runs = (await guest.get(`${base}/runs`)).json<HostRuns>();
    expect(runs.runs.map(({ template_id }) => template_id)).toEqual([seen]);
    const { failures } = (await guest.get(`${base}/failures`)).json<HostFailures>();
    expect(failures).toMatchObject([{ runs: 1, time: EARLY, failure: { template_id: seen } }]);
  });
});
