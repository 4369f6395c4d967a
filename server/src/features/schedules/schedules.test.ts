import type { Schedule } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { scheduledProject } from '../../testing/scheduled-project.ts';

const START = '2026-11-21T10:00:30.000Z';

describeOneDatabase('the calls for schedules', (makeLocation) => {
  const setUp = async (settings: Record<string, string> = {}) => {
    const project = await scheduledProject(await makeLocation(), START, settings);
    const { client, sample } = project;
    const send = (method: 'PUT' | 'DELETE', id: number, payload?: object, headers: Record<string, string> = {}) =>
      client.send({ method, url: `/api${sample.base}/schedules/${id}`, ...(payload ? { payload } : {}), headers });
    return {
      ...project,
      post: (input: object) => client.post(`${sample.base}/schedules`, input),
      put: (id: number, change: object, headers?: Record<string, string>) => send('PUT', id, change, headers),
      remove: (id: number, headers?: Record<string, string>) => send('DELETE', id, undefined, headers),
      list: async (path = 'schedules') => (await client.get(`${sample.base}/${path}`)).json<Schedule[]>(),
    };
  };

  it('create, show, list, change and delete a schedule', async () => {
    const { post, put, remove, list, read, sample, templateId, client, events } = await setUp();
    const made = await post({ template_id: templateId, cron_format: ' 0 */6 * * * ', id: 99 });
    expect(made.statusCode).toBe(201);
    const schedule = made.json<Schedule>();
    expect(schedule).toEqual({
      id: schedule.id,
      project_id: sample.projectId,
      template_id: templateId,
      cron_format: '0 */6 * * *',
      repository_id: null,
      name: '',
      active: true,
      next_times: ['21T12', '21T18', '22T00', '22T06', '22T12'].map((hour) => `2026-11-${hour}:00:00.000Z`),
      last_fired: null,
      timezone: 'UTC',
      ...{ type: 'cron', run_at: null, interval_seconds: null, own_timezone: null, starts_at: null, ends_at: null },
      ...{ overlap: null, jitter_seconds: 0, next_start: '2026-11-21T12:00:00.000Z', problem: null },
      next_freezes: Array(5).fill(null),
      freeze: null,
      launch_values: expect.objectContaining({ environment: '{}', limit: '' }),
      saved_launch_id: null,
      secret_answers: [],
      missing_answers: [],
    });
    expect(await read(schedule.id)).toEqual(schedule);
    expect(await list()).toEqual([schedule]);
    expect(await list(`templates/${templateId}/schedules`)).toEqual([schedule]);
    expect(await list(`templates/${await sample.template()}/schedules`)).toEqual([]);

    const change = { id: schedule.id, project_id: sample.projectId, name: 'Often', cron_format: '@hourly' };
    expect((await put(schedule.id, change)).statusCode).toBe(204);
    expect(await read(schedule.id)).toMatchObject({ name: 'Often', cron_format: '@hourly', template_id: templateId });
    expect((await remove(schedule.id)).statusCode).toBe(204);
    for (const answer of [await remove(schedule.id), await put(schedule.id, {})]) expect(answer.statusCode).toBe(404);
    expect((await client.get(`${sample.base}/schedules/${schedule.id}`)).statusCode).toBe(404);
    expect(await events()).toEqual([
      'Schedule 0 */6 * * * created',
      'Schedule Often changed',
      'Schedule Often deleted',
    ]);
  });

  it('return the next due times in UTC, computed in the time zone of the server', async () => {
    const { create } = await setUp({ SIGNALBOX_TIMEZONE: 'Asia/Kolkata' });
    expect((await create({ cron_format: '0 9 * * *' })).next_times.slice(0, 2)).toEqual([
      '2026-11-22T03:30:00.000Z',
      '2026-11-23T03:30:00.000Z',
    ]);
  });

  it('keep what a change omits, and clear what it sets to null', async () => {
    const { create, put, read, sample, templateId } = await setUp();
    const { id } = await create({ cron_format: '@daily', repository_id: sample.repositoryId });
    const before = await read(id);
    expect((await put(id, {})).statusCode).toBe(204);
    expect(await read(id)).toEqual(before);
    expect((await put(id, { repository_id: null, name: null })).statusCode).toBe(204);
    expect(await read(id)).toEqual({ ...before, repository_id: null, name: '' });
    expect((await put(id, { active: false })).statusCode).toBe(204);
    expect((await put(id, { active: null })).statusCode).toBe(204);
    expect(await read(id)).toMatchObject({ active: true });
    const other = await sample.template();
    expect((await put(id, { template_id: other })).statusCode).toBe(204);
    expect(await read(id)).toMatchObject({ template_id: other });
    for (const required of ['template_id', 'cron_format']) {
      const refused = await put(id, { [required]: null });
      expect(refused.statusCode).toBe(400);
      expect(refused.json<{ fields: object }>().fields).toHaveProperty(required);
    }
    expect(await read(id)).toMatchObject({ template_id: other, cron_format: '@daily' });
    expect(templateId).not.toBe(other);
  });

  it('refuse an invalid cron in one sentence, wherever it is given', async () => {
    const { create, post, put, client, sample, templateId } = await setUp();
    const validate = (cron_format: unknown) => client.post(`${sample.base}/schedules/validate`, { cron_format });
    for (const good of ['*/5 * * * *', '@hourly', '0 0 29 2 *', ' 0 0 * * MON-FRI '])
      expect((await validate(good)).statusCode, good).toBe(204);
    const { id } = await create({ cron_format: '@daily' });
    for (const [code, cron_format, message] of [
      ['cron.fields', '', 'there must be five fields (minute, hour, day of the month, month, day of the week), not 0'],
      [
        'cron.seconds',
        '0 0 0 * * *',
        'there must be five fields (minute, hour, day of the month, month, day of the week), not 6: seconds are not supported',
      ],
      [
        'cron.nickname',
        '@reboot',
        '@reboot is not supported: use one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually, @every',
      ],
      ['cron.extension', '0 0 L * *', "the day of the month can't be L: L, W and # are not supported"],
      ['cron.never', '0 0 31 2 *', 'the schedule would never start: no year has this day'],
    ]) {
      const input = { template_id: templateId, cron_format };
      for (const answer of [await validate(cron_format), await post(input), await put(id, input)]) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toMatchObject({
          error: `Cron: ${message}.`,
          code: 'bad_input.cron',
          params: { why: { code } },
          fields: { cron_format: message },
          field_codes: { cron_format: { code } },
        });
      }
    }
    for (const wrong of [undefined, null, 5, ['* * * * *'], 'x'.repeat(256)]) {
      const answer = await validate(wrong);
      expect(answer.statusCode).toBe(400);
      expect(answer.json<{ fields: object }>().fields).toHaveProperty('cron_format');
    }
  });

  it('refuse ids of another project, and ids that differ from the path', async () => {
    const { create, post, put, remove, client, templateId, read } = await setUp();
    const foreign = await sampleProject(client, 'Foreign');
    const foreignTemplate = await foreign.template();
    const { id } = await create({ cron_format: '@daily' });
    const before = await read(id);
    const input = { template_id: templateId, cron_format: '@daily' };
    for (const [field, value] of [
      ['template_id', foreignTemplate],
      ['template_id', 1_000_000],
      ['repository_id', foreign.repositoryId],
      ['repository_id', 1_000_000],
    ] as const) {
      for (const answer of [await post({ ...input, [field]: value }), await put(id, { [field]: value })]) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json<{ fields: object }>().fields).toEqual({ [field]: 'is not an id of this project' });
      }
    }
    for (const other of [{ id: id + 1 }, { project_id: foreign.projectId }])
      expect((await put(id, other)).statusCode).toBe(400);
    const url = `/api${foreign.base}/schedules/${id}`;
    for (const method of ['GET', 'DELETE'] as const) expect((await client.send({ method, url })).statusCode).toBe(404);
    expect((await client.send({ method: 'PUT', url, payload: {} })).statusCode).toBe(404);
    expect((await client.get(`${foreign.base}/templates/${templateId}/schedules`)).statusCode).toBe(404);
    expect(await read(id)).toEqual(before);
    expect((await remove(id)).statusCode).toBe(204);
  });

  it('compare a change with If-Match', async () => {
    const { create, put, remove, client, sample } = await setUp();
    const { id } = await create({ cron_format: '@daily' });
    const etag = async () => String((await client.get(`${sample.base}/schedules/${id}`)).headers.etag);
    const old = await etag();
    expect((await put(id, { name: 'First' }, { 'if-match': old })).statusCode).toBe(204);
    expect((await put(id, { name: 'Second' }, { 'if-match': old })).statusCode).toBe(409);
    expect((await remove(id, { 'if-match': old })).statusCode).toBe(409);
    expect((await remove(id, { 'if-match': await etag() })).statusCode).toBe(204);
  });

  it('store each of many simultaneous changes or report a conflict', async () => {
    const { create, put, client, sample, read } = await setUp();
    const { id } = await create({ cron_format: '@daily' });
    const etag = String((await client.get(`${sample.base}/schedules/${id}`)).headers.etag);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(id, { name: `Number ${n}` }, { 'if-match': etag })),
    );
    const stored = answers.flatMap(({ statusCode }, n) => (statusCode === 204 ? [n] : []));
    expect(stored).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(11);
    expect(await read(id)).toMatchObject({ name: `Number ${stored[0]}` });
  });

  it('sort the list by any column', async () => {
    const { create, list, sample } = await setUp();
    const zebra = await sample.template({ name: 'Zebra' });
    await create({ name: 'b', cron_format: '@hourly', template_id: zebra });
    await create({ name: 'A', cron_format: '@daily' });
    await create({ name: 'c', cron_format: '@weekly', active: false });
    const names = async (query: string) => (await list(`schedules${query}`)).map(({ name }) => name).join('');
    expect(await names('')).toBe('Abc');
    expect(await names('?order=desc')).toBe('cbA');
    expect(await names('?sort=template')).toBe('Acb');
    expect(await names('?sort=next_time')).toBe('bAc');
    expect(await names('?sort=active')).toBe('cbA');
    expect(await names('?sort=cron_format&order=desc')).toBe('cbA');
  });

  it('keep a repository that a schedule uses, and delete schedules with their template and project', async () => {
    const { create, list, client, sample, server, templateId } = await setUp();
    const created = await client.post(`${sample.base}/repositories`, {
      name: 'Watched',
      git_url: 'https://git.example/watched.git',
      git_branch: 'main',
      ssh_key_id: sample.keyId,
    });
    const repository = created.json<{ id: number }>();
    const named = await create({ cron_format: '@daily', repository_id: repository.id });
    const unnamed = await create({ cron_format: '@hourly', name: '', repository_id: repository.id });
    const url = `${sample.base}/repositories/${repository.id}`;
    expect((await client.get(`${url}/refs`)).json<{ schedules: object[] }>().schedules).toEqual(
      expect.arrayContaining([
        { id: named.id, name: 'Nightly' },
        { id: unnamed.id, name: 'Patch (@hourly)' },
      ]),
    );
    const kept = await client.send({ method: 'DELETE', url: `/api${url}` });
    expect(kept.statusCode).toBe(409);
    expect(kept.json()).toMatchObject({ in_use: true });
    expect((await client.get(`${sample.base}/templates/${templateId}/refs`)).json()).toMatchObject({ schedules: [] });
    expect(
      (await client.send({ method: 'DELETE', url: `/api${sample.base}/templates/${templateId}` })).statusCode,
    ).toBe(204);
    expect(await list()).toEqual([]);
    expect((await client.send({ method: 'DELETE', url: `/api${url}` })).statusCode).toBe(204);

    await create({ cron_format: '@daily', template_id: await sample.template(), repository_id: sample.repositoryId });
    expect((await client.send({ method: 'DELETE', url: `/api${sample.base}` })).statusCode).toBe(204);
    expect(await server.storage.database.read.selectFrom('schedule').selectAll().execute()).toEqual([]);
  });

  it('allow writing only to users who may manage resources', async () => {
    const { create, server, sample, templateId } = await setUp();
    const { id } = await create({ cron_format: '@daily' });
    const guest = await addMember(server, 'guest', { projectId: sample.projectId, role: 'guest' });
    expect((await guest.get(`${sample.base}/schedules/${id}`)).statusCode).toBe(200);
    expect((await guest.post(`${sample.base}/schedules/validate`, { cron_format: '@daily' })).statusCode).toBe(403);
    const input = { template_id: templateId, cron_format: '@daily' };
    expect((await guest.post(`${sample.base}/schedules`, input)).statusCode).toBe(403);
  });
});

describeOneDatabase('[R7] a changed schedule', (makeLocation) => {
  const setUp = async (input: object) => {
    const project = await scheduledProject(await makeLocation(), START);
    const { id } = await project.create(input);
    const put = async (change: object): Promise<void> => {
      const answer = await project.client.send({
        method: 'PUT',
        url: `/api${project.sample.base}/schedules/${id}`,
        payload: change,
      });
      expect(answer.statusCode, answer.body).toBe(204);
      await project.server.schedules.quiet();
    };
    return { ...project, id, put };
  };
  const shown = ({ next_times }: Schedule) => next_times[0]?.slice(11, 16);

  it('starts and misses nothing while it is paused, and is due from the moment it is resumed', async () => {
    const { id, put, passMinutes, tasks, events, read } = await setUp({ cron_format: '*/10 * * * *' });
    await passMinutes(10);
    expect(await tasks()).toHaveLength(1);
    await put({ active: false });
    expect((await read(id)).next_times).toEqual([]);
    await passMinutes(25);
    await put({ active: true });
    expect(shown(await read(id))).toBe('10:40');
    await passMinutes(4);
    expect(await tasks()).toHaveLength(1);
    await passMinutes(1);
    expect(await tasks()).toHaveLength(2);
    await put({ active: false, name: 'Slept' });
    expect(await events()).toEqual([
      'Schedule Nightly created',
      'Schedule Nightly paused',
      'Schedule Nightly resumed',
      'Schedule Slept changed and paused',
    ]);
  });

  it('gets a new due time from a new cron only', async () => {
    const { id, put, passMinutes, tasks, read } = await setUp({ cron_format: '0 12 * * *' });
    await put({ name: 'Renamed', cron_format: '0 12 * * *' });
    expect(shown(await read(id))).toBe('12:00');
    await put({ cron_format: '*/10 * * * *' });
    await passMinutes(10);
    expect(await tasks()).toMatchObject([{ created: '2026-11-21T10:10:30.000Z' }]);
    await put({ cron_format: '0 12 * * *' });
    await passMinutes(60);
    expect(await tasks()).toHaveLength(1);
  });

  it('[R16] repeats no due time when it is resumed after the clock was set back', async () => {
    const { id, put, passMinutes, tasks, clock, read } = await setUp({ cron_format: '*/10 * * * *' });
    await passMinutes(10);
    clock.step(-2 * 60 * 60_000);
    await put({ active: false });
    await put({ active: true });
    expect(shown(await read(id))).toBe('10:20');
    await passMinutes(120);
    expect(await tasks()).toHaveLength(1);
  });
});
