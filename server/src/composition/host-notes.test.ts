import type { HostChanges, HostFactVersions, HostList, HostPage, HostRecord } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { playedHosts } from '../testing/played-hosts.ts';
import { addMember } from '../testing/sample-project.ts';

const time = (day: number): string => `2026-11-${day}T10:00:00.000Z`;

const facts = (kernel: string) => (record: HostRecord) =>
  record.step === 1 ? { groups: ['web', 'frankfurt'], facts: { kernel, memory: 512 } } : {};
const changed = ({ result }: HostRecord) =>
  result === 'changed' ? { target: '/etc/app.conf', diff: '-size = 8\n+size = 10' } : {};

describeEachDatabase('what runs note about hosts', (makeLocation) => {
  it('are its groups, and a version of its facts for each change of them', async () => {
    const { admin, sample, play, idOf } = await playedHosts(makeLocation);
    const template = await sample.template();
    const ids = [
      await play(template, time(20), facts('6.1.0-30')),
      await play(template, time(21), facts('6.1.0-30')),
      await play(template, time(22), facts('6.1.0-31')),
    ];
    const base = `${sample.base}/hosts/${await idOf('web-0')}`;
    const page = (await admin.get(base)).json<HostPage>();
    expect(page).toMatchObject({ groups: ['web', 'frankfurt'], facts: { facts: { kernel: '6.1.0-31' } } });
    const inGroup = async (group: string) => (await admin.get(`${sample.base}/hosts?group=${group}`)).json<HostList>();
    expect([(await inGroup('frankfurt')).total, (await inGroup('frank')).total]).toEqual([4, 0]);
    const { versions } = (await admin.get(`${base}/facts`)).json<HostFactVersions>();
    expect(versions).toMatchObject([
      { since: time(22), time: time(22), task_id: ids[2] },
      { since: time(20), since_task_id: ids[0], time: time(21), task_id: ids[1], facts: { kernel: '6.1.0-30' } },
    ]);
    expect((await inGroup('Frankfurt')).total).toBe(0);
    // An older run that ends later is no new version, and does not move the host to other groups.
    await play(template, time(21), (record) => ({ ...facts('5.0')(record), groups: ['old'] }));
    expect((await admin.get(base)).json<HostPage>().groups).toEqual(['web', 'frankfurt']);
    expect((await admin.get(`${base}/facts`)).json<HostFactVersions>().versions).toHaveLength(2);
    expect((await admin.get(`${sample.base}/hosts/99999/facts`)).statusCode).toBe(404);
  });

  it('are no facts after the project stopped keeping them', async () => {
    const { admin, sample, play, idOf } = await playedHosts(makeLocation);
    await play(await sample.template(), time(20), facts('6.1'));
    const base = `${sample.base}/hosts/${await idOf('web-0')}`;
    expect((await admin.get(base)).json<HostPage>().facts).not.toBeNull();
    expect((await admin.put(sample.base, { collect_facts: false })).statusCode).toBe(204);
    expect((await admin.get(base)).json<HostPage>()).toMatchObject({ facts: null, groups: ['web', 'frankfurt'] });
    // A run that began before still reports facts.
    await play(await sample.template({ name: 'Second' }), time(21), facts('6.2'));
    expect((await admin.get(base)).json<HostPage>().facts).toBeNull();
  });

  it('are facts that a gather of a subset leaves as they were, and that steps of one run gather together', async () => {
    const { admin, sample, play, idOf } = await playedHosts(makeLocation);
    const template = await sample.template();
    const all = { kernel: '6.1', mounts: { '/': { size: 5 }, '/old': { size: 6 } } };
    let day = 20;
    const gather = async (...steps: HostRecord['facts'][]) => {
      day += 1;
      await play(template, time(day), ({ step }) => (steps[step - 1] ? { facts: steps[step - 1] } : {}));
    };
    await gather({ kernel: '6.1' }, { mounts: { '/': { size: 5 }, '/old': { size: 6 } } });
    await gather({ kernel: '6.1' });
    await gather(all);
    const url = `${sample.base}/hosts/${await idOf('web-0')}/facts`;
    const versions = async () => (await admin.get(url)).json<HostFactVersions>().versions;
    expect((await versions()).map((version) => version.facts)).toEqual([all]);
    await gather({ mounts: { '/': { size: 5 } } });
    expect((await versions()).map((version) => version.facts)).toEqual([
      { kernel: '6.1', mounts: { '/': { size: 5 } } },
      all,
    ]);
  });

  it('are the changes of a delegated step at the host that ran it', async () => {
    const { admin, sample, play, idOf } = await playedHosts(makeLocation);
    const delegated = (record: HostRecord) => (record.result === 'changed' ? { delegated_to: 'web-0' } : {});
    await play(await sample.template(), time(20), (record) => ({ ...facts('6.1')(record), ...delegated(record) }));
    const changes = async (host: string) =>
      (await admin.get(`${sample.base}/hosts/${await idOf(host)}/changes`)).json<HostChanges>().total;
    expect([await changes('web-0'), await changes('web-1')]).toEqual([1, 0]);
  });

  it('are the changes of its last runs with their differences, in pages', async () => {
    const { server, admin, sample, play, idOf } = await playedHosts(makeLocation);
    const template = await sample.template();
    const first = await play(template, time(20), changed);
    const last = await play(template, time(21));
    const base = `${sample.base}/hosts/${await idOf('web-1')}/changes`;
    const list = async (query = '') => (await admin.get(`${base}${query}`)).json<HostChanges>();
    expect(await list()).toMatchObject({
      total: 2,
      changes: [
        { task_id: last, step: 'Step 2', action: 'ping', target: '', line: 21, diff: '' },
        { task_id: first, target: '/etc/app.conf', diff: '-size = 8\n+size = 10' },
      ],
    });
    expect((await list('?from=2&limit=1')).changes.map(({ task_id }) => task_id)).toEqual([first]);
    const { autocommit } = server.storage.database;
    await autocommit.updateTable('task').set({ log_removed: 1 }).where('id', '=', last).execute();
    expect((await list()).changes).toMatchObject([{ task_id: last, line: 0 }, { task_id: first }]);
    await admin.del(`${sample.base}/tasks/${first}`);
    expect((await list('?from=2')).changes).toMatchObject([{ task_id: null, time: time(20) }]);
  });

  it('are not shown to a member who must not see the template', async () => {
    const { server, admin, sample, play, idOf } = await playedHosts(makeLocation);
    const [seen, secret] = [await sample.template({ name: 'Seen' }), await sample.template({ name: 'Secret' })];
    const note = (kernel: string) => (record: HostRecord) => ({ ...facts(kernel)(record), ...changed(record) });
    await play(seen, time(20), note('6.1'));
    const ids = [await play(secret, time(21), note('6.2'))];
    await admin.put(`${sample.base}/templates/${secret}`, { restricted: true });
    const inVault = { groups: ['vault'], facts: { kernel: '6.3', mounts: { '/vault': { size: 5 } } } };
    ids.push(await play(secret, time(22), ({ step }) => (step === 1 ? inVault : {})));
    const guest = await addMember(server, 'guest', { projectId: sample.projectId, role: 'guest' });
    const base = `${sample.base}/hosts/${await idOf('web-1')}`;
    expect((await guest.get(base)).json()).toMatchObject({ change_count: 1, facts: { facts: { kernel: '6.1' } } });
    expect((await guest.get(base)).json<HostPage>().groups).toEqual(['web', 'frankfurt']);
    expect((await admin.get(base)).json<HostPage>().groups).toEqual(['vault']);
    const inGroup = async (member: typeof admin) =>
      (await member.get(`${sample.base}/hosts?group=vault`)).json<HostList>().total;
    expect([await inGroup(guest), await inGroup(admin)]).toEqual([0, 4]);
    expect((await guest.get(`${base}/changes`)).json()).toMatchObject({ total: 1, changes: [{ template_id: seen }] });
    expect((await guest.get(`${base}/facts`)).json<HostFactVersions>().versions).toHaveLength(1);
    expect((await admin.get(base)).json()).toMatchObject({ change_count: 3, facts: { facts: { kernel: '6.3' } } });
    // Facts are not merged with those of a restricted template, whose runs disappear for others with their tasks too.
    await play(seen, time(23), ({ step }) => (step === 1 ? { facts: { memory: 1024 } } : {}));
    const merged = { kernel: '6.1', memory: 1024 };
    expect((await guest.get(base)).json<HostPage>().facts?.facts).toEqual(merged);
    for (const id of ids) await admin.del(`${sample.base}/tasks/${id}`);
    expect((await guest.get(base)).json<HostPage>().runs).toHaveLength(2);
    // Whether a deleted template was hidden is no longer known.
    await admin.del(`${sample.base}/templates/${secret}`);
    for (const member of [guest, admin])
      expect((await member.get(base)).json()).toMatchObject({ change_count: 2, facts: { facts: merged } });
  });
});
