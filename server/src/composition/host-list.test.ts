import type { HostChoices, HostList, HostPage, HostRecord } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { writeListedHosts } from '../features/hosts/host-inventory.store.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { playedHosts } from '../testing/played-hosts.ts';
import { addMember } from '../testing/sample-project.ts';

const time = (day: number): string => `2026-11-${day}T10:00:00.000Z`;

/** Facts and groups that differ between web-0 and the other hosts. */
const noted = ({ host, step }: HostRecord): Partial<HostRecord> => {
  if (step !== 1) return {};
  const isFirst = host === 'web-0';
  return {
    groups: isFirst ? ['web', 'frankfurt'] : ['web'],
    facts: { distribution: isFirst ? 'Debian 11' : 'Debian 12', memory: isFirst ? 512 : 2048 },
  };
};

const setUp = async (...args: Parameters<typeof playedHosts>) => {
  const played = await playedHosts(...args);
  const { admin, sample } = played;
  const list = async (query = '', member: typeof admin = admin): Promise<HostList> =>
    (await member.get(`${sample.base}/hosts${query}`)).json<HostList>();
  const names = async (query: string, member: typeof admin = admin) =>
    (await list(query, member)).hosts.map(({ host }) => host);
  return { ...played, list, names };
};

describeEachDatabase('the list of hosts', (makeLocation) => {
  it('answers the worst last outcome of the templates on each host, with trouble first', async () => {
    const { sample, play, list, names } = await setUp(makeLocation);
    const [patch, deploy] = [await sample.template({ name: 'Patch' }), await sample.template({ name: 'Deploy' })];
    await play(patch, time(20));
    const last = await play(deploy, time(21), ({ host, result }) => ({ result: host === 'web-2' ? 'ok' : result }));
    const { hosts, total } = await list('?sort=trouble&order=desc');
    expect(
      hosts.map(({ host, outcome, template_count, failed_count }) => [host, outcome, template_count, failed_count]),
    ).toEqual([
      ['web-3', 'unreachable', 2, 2],
      ['web-2', 'failed', 2, 2],
      ['web-1', 'changed', 2, 0],
      ['web-0', 'ok', 2, 0],
    ]);
    expect([total, hosts[0]?.last_run]).toEqual([4, { time: time(21), task_id: last }]);
    expect(await names('?result=trouble')).toEqual(['web-2', 'web-3']);
    expect(await names('?result=ok')).toEqual(['web-0']);
    expect((await list(`?template_id=${patch}&result=unreachable`)).hosts).toMatchObject([
      { host: 'web-3', template_count: 1, failed_count: 1 },
    ]);
    expect(await names('?template_id=99999')).toEqual([]);
  });

  it('sorts by the last run, by moments and by name, in pages', async () => {
    const { server, sample, play, list, names } = await setUp(makeLocation);
    await play(await sample.template(), time(20));
    const host = {
      project_id: sample.projectId,
      host: 'old',
      runs: '[]',
      last_success: time(10),
      last_success_task: null,
    };
    const never = { last_change: null, last_change_task: null, last_failure: null, last_failure_task: null };
    await server.storage.database.autocommit
      .insertInto('host')
      .values({ ...host, ...never })
      .execute();
    expect((await names('?sort=last_run&order=desc')).at(-1)).toBe('old');
    expect((await names('?sort=last_failure&order=desc')).slice(0, 2)).toEqual(['web-2', 'web-3']);
    expect((await names('?sort=last_success&order=desc')).slice(0, 2)).toEqual(['web-0', 'web-1']);
    expect(await names('?sort=host&from=2&limit=2')).toEqual(['web-0', 'web-1']);
    expect(await names('?sort=last_failure&order=desc&from=2&limit=1')).toEqual(['web-3']);
    expect(await list('?from=100')).toMatchObject({ hosts: [], total: (await list('')).total });
  });

  it('filters by group, fact and age, and answers what to choose from', async () => {
    const { clock, admin, sample, play, names, list } = await setUp(makeLocation);
    await play(await sample.template(), time(20), noted);
    expect(await names('?group=frankfurt')).toEqual(['web-0']);
    expect(await names('?fact=distribution&fact_value=Debian 11')).toEqual(['web-0']);
    expect(await names('?fact=distribution&fact_operator=is_not&fact_value=Debian 11')).toHaveLength(3);
    expect(await names('?fact=distribution&fact_operator=contains&fact_value=debian')).toHaveLength(4);
    expect(await names('?fact=memory&fact_operator=at_most&fact_value=1024')).toEqual(['web-0']);
    expect(await names('?fact=kernel&fact_value=6')).toEqual([]);
    clock.step(Date.parse(time(22)) - clock.now().getTime());
    expect([(await list('?untouched_days=1')).total, (await list('?untouched_days=3')).total]).toEqual([4, 0]);
    const choices = async (query: string) =>
      (await admin.get(`${sample.base}/hosts/choices${query}`)).json<HostChoices>();
    expect(await choices('?fact=distribution')).toEqual({
      groups: ['web', 'frankfurt'],
      values: ['Debian 12', 'Debian 11'],
    });
    expect(await choices('?fact=distribution&part=11')).toEqual({ groups: [], values: ['Debian 11'] });
    const refused = async (query: string) =>
      (await admin.get(`${sample.base}/hosts?${query}`)).json<{ fields: object }>().fields;
    expect(await refused('fact=memory')).toHaveProperty('fact_value');
    expect(await refused('fact=memory&fact_value=much')).toHaveProperty('fact_value');
    expect(await refused('fact=memory&fact_operator=contains&fact_value=1')).toHaveProperty('fact_operator');
    await admin.put(sample.base, { collect_facts: false });
    expect(await names('?fact=distribution&fact_value=Debian 11')).toEqual([]);
  });

  it('answers the facts and groups of the newest run that reported them', async () => {
    const { sample, play, names } = await setUp(makeLocation);
    const [patch, deploy] = [await sample.template({ name: 'Patch' }), await sample.template({ name: 'Deploy' })];
    await play(patch, time(20), noted);
    await play(deploy, time(21), ({ step }) =>
      step === 1 ? { groups: ['new'], facts: { distribution: 'Debian 13' } } : {},
    );
    expect([await names('?group=web'), (await names('?group=new')).length]).toEqual([[], 4]);
    expect(await names('?fact=distribution&fact_value=Debian 11')).toEqual([]);
    await play(patch, time(22), noted);
    expect(await names('?fact=distribution&fact_value=Debian 11')).toEqual(['web-0']);
  });

  it('names hosts that the last listings of inventories no longer have, except after a run until the next listing', async () => {
    const { server, admin, sample, play, list, names, idOf } = await setUp(makeLocation);
    const template = await sample.template();
    await play(template, time(20));
    const { database } = server.storage;
    const listing = { id: sample.inventoryId, projectId: sample.projectId, repositoryId: null };
    const listed = (hosts: string[], day: number) => writeListedHosts(database, listing, hosts, new Date(time(day)));
    await listed(['web-0', 'web-1', 'unknown'], 21);
    expect(await names('?vanished=true')).toEqual([]);
    await listed(['web-0'], 22);
    await listed(['web-0'], 23);
    expect((await list('?vanished=true')).hosts).toMatchObject([{ host: 'web-1', vanished_since: time(22) }]);
    expect(await names('?vanished=false')).toEqual(['web-0', 'web-2', 'web-3']);
    const page = `${sample.base}/hosts/${await idOf('web-1')}`;
    expect((await admin.get(page)).json<HostPage>().vanished_since).toBe(time(22));
    await play(template, time(24));
    expect(await names('?vanished=true')).toEqual([]);
    await listed(['web-0'], 25);
    await listed(['web-0'], 26);
    expect((await list('?vanished=true')).hosts).toMatchObject([{ host: 'web-1', vanished_since: time(25) }]);
    expect((await admin.get(page)).json<HostPage>().vanished_since).toBe(time(25));
    await listed(['web-0', 'web-1'], 27);
    expect((await admin.get(page)).json<HostPage>().vanished_since).toBeNull();
  });

  it('shows a member nothing of templates that the member must not see', async () => {
    const { server, admin, sample, play, list, names, idOf } = await setUp(makeLocation);
    const [seen, secret] = [await sample.template({ name: 'Seen' }), await sample.template({ name: 'Secret' })];
    await play(seen, time(20), (record) => ({ ...noted(record), result: 'ok' }));
    await play(secret, time(21), ({ step }) => (step === 1 ? { groups: ['vault'], facts: { kernel: '6.1' } } : {}));
    await admin.put(`${sample.base}/templates/${secret}`, { restricted: true });
    const guest = await addMember(server, 'guest', { projectId: sample.projectId, role: 'guest' });
    const listing = { id: sample.inventoryId, projectId: sample.projectId, repositoryId: null };
    for (const [hosts, day] of [
      [['web-0'], 20],
      [[], 21],
    ] as const)
      await writeListedHosts(server.storage.database, listing, hosts, new Date(Date.parse(time(day)) - 1));
    await play(secret, time(22));
    const own = (await list('?sort=trouble&order=desc', guest)).hosts;
    expect(new Set(own.flatMap(({ last_run, last_failure }) => [last_run?.time, last_failure?.time]))).not.toContain(
      time(22),
    );
    expect(own.map(({ template_count }) => template_count)).toEqual([1, 1, 1, 1]);
    expect([await names('?group=vault', guest), await names('?fact=kernel&fact_value=6.1', guest)]).toEqual([[], []]);
    expect([await names('?vanished=true', guest), await names('?vanished=true')]).toEqual([['web-0'], []]);
    const choices = (await guest.get(`${sample.base}/hosts/choices?fact=kernel`)).json<HostChoices>();
    expect(choices).toEqual({ groups: ['web', 'frankfurt'], values: [] });
    const page = (await guest.get(`${sample.base}/hosts/${await idOf('web-2')}`)).json<HostPage>();
    expect([page.last_run?.time, page.last_failure?.time]).toEqual([time(20), time(20)]);
    // A host on which only the hidden template ran does not exist for the member.
    await admin.del(`${sample.base}/templates/${seen}`);
    expect([(await list('', guest)).total, (await list()).total]).toEqual([0, 4]);
    for (const part of ['', '/facts', '/runs', '/changes'])
      expect((await guest.get(`${sample.base}/hosts/${page.id}${part}`)).statusCode).toBe(404);
  });
});
