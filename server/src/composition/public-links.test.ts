import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { addMember, sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';

describeEachDatabase('public addresses', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin, 'Shop & <Co>');
    const { database } = server.storage;
    const run = async (template_id: number, status: 'success' | 'error', end_reason: object = {}) => {
      const { id } = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
      const ended = { status, end_time: new Date().toISOString(), ...end_reason };
      await database.autocommit.updateTable('task').set(ended).where('id', '=', id).execute();
      return id;
    };
    /** Makes an address, and returns its path below the API. */
    const open = async (path: string): Promise<string> => {
      const { address } = (await admin.post(`${sample.base}${path}`)).json<{ address: string }>();
      return new URL(address).pathname.replace(/^\/api/, '');
    };
    const anyone = server.anonymous;
    return { server, admin, sample, database, run, open, anyone };
  };

  it('show a feed without signing in, until they are replaced or revoked', async () => {
    const { admin, sample, run, open, anyone, database } = await setUp();
    const id = await run(await sample.template({ name: 'Deploy <b>' }), 'error');
    await run(await sample.template({ name: 'Ping' }), 'success');
    expect((await admin.get(`${sample.base}/feed`)).json()).toEqual({ active: false, created: null, created_by: '' });
    const first = await open('/feed');
    const answer = await anyone.get(first);
    expect(answer.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(answer.body).toContain('<title>Shop &amp; &lt;Co&gt;</title>');
    expect(answer.body).toContain(`<title>Deploy &lt;b&gt; #${id} failed</title>`);
    expect(answer.body).toContain('Ping');
    expect((await anyone.get(`${first}?only=failures`)).body).not.toContain('Ping');
    const known = await anyone.send({
      method: 'GET',
      url: `/api${first}`,
      headers: { 'if-none-match': String(answer.headers.etag) },
    });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const { token_hash } = await database.read.selectFrom('public_link').select('token_hash').executeTakeFirstOrThrow();
    expect(first).not.toContain(token_hash);

    const second = await open('/feed');
    expect((await anyone.get(first)).statusCode).toBe(404);
    expect((await anyone.get(second)).statusCode).toBe(200);
    expect((await admin.del(`${sample.base}/feed`)).statusCode).toBe(204);
    expect((await anyone.get(second)).statusCode).toBe(404);
    expect((await anyone.get(second.replace('/feed/', '/badge/'))).statusCode).toBe(404);
    const events = (await admin.get(`${sample.base}/events`)).json<{ kind: string }[]>();
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind.startsWith('feed.'));
    expect(kinds).toEqual(['feed.revoked', 'feed.created', 'feed.created']);
  });

  it('show the tasks of a feed in the order in which they ended, and check no run in check mode for a badge', async () => {
    const { sample, run, open, anyone, database } = await setUp();
    const template = await sample.template({ name: 'Deploy' });
    const [first, second, checked] = [
      await run(template, 'error'),
      await run(template, 'success'),
      await run(template, 'error', { dry_run: 1 }),
    ];
    for (const [id, end_time] of [
      [first, '2026-11-27T10:00:02.000Z'],
      [second, '2026-11-27T10:00:01.000Z'],
      [checked, '2026-11-27T10:00:03.000Z'],
    ] as const)
      await database.autocommit.updateTable('task').set({ end_time }).where('id', '=', id).execute();
    const { body, headers } = await anyone.get(await open('/feed'));
    const shown = [...body.matchAll(/<title>Deploy #(\d+)/g)].map(([, id]) => Number(id));
    expect(shown).toEqual([checked, first, second]);
    expect(headers['last-modified']).toBe('Fri, 27 Nov 2026 10:00:03 GMT');
    expect((await anyone.get(await open(`/templates/${template}/badge`))).body).toContain('passing');
  });

  it('reveal nothing of restricted templates, and no text that a program or a user wrote', async () => {
    const { admin, sample, run, open, anyone } = await setUp();
    const secret = await sample.template({ name: 'Secret', restricted: true });
    const plain = await sample.template({ name: 'Plain' });
    await run(secret, 'error');
    const params = JSON.stringify({ user: 'Ann', comment: 'password is hunter2' });
    await run(plain, 'error', { end_reason: 'stop.rejected', end_params: params });
    const branch = JSON.stringify({ repository: 'git.internal', branch: 'merger' });
    await run(plain, 'error', { end_reason: 'git.branch_missing', end_params: branch });
    await run(plain, 'error', { end_reason: 'time_limit', end_params: JSON.stringify({ seconds: 90 }) });
    const feed = await open('/feed');
    const { body } = await anyone.get(feed);
    expect(body).toContain('Plain');
    expect(body).not.toMatch(/Secret|hunter2|Ann|git\.internal|merger/);
    expect(body.match(/<summary>/g)).toHaveLength(1);
    const refused = await admin.post(`${sample.base}/templates/${secret}/badge`);
    expect(refused.json()).toMatchObject({ code: 'conflict.badge_restricted' });
    const badge = await open(`/templates/${plain}/badge`);
    expect((await anyone.get(badge)).statusCode).toBe(200);
    await admin.put(`${sample.base}/templates/${plain}`, { restricted: true });
    expect((await anyone.get(badge)).statusCode).toBe(404);
    expect((await anyone.get(feed)).body).not.toContain('Plain');
  });

  it('show a badge that pages of other sites may embed, and that runs nothing', async () => {
    const { admin, sample, run, open, anyone } = await setUp();
    const template = await sample.template({ name: '"><script>alert(1)</script>' });
    const badge = await open(`/templates/${template}/badge`);
    const { body, headers } = await anyone.get(badge);
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60',
    });
    expect(body).not.toContain('<script');
    expect(body).toContain('no runs');
    await run(template, 'error');
    expect((await anyone.get(badge)).body).toContain('failing');
    await admin.del(`${sample.base}/templates/${template}/badge`);
    expect((await anyone.get(badge)).statusCode).toBe(404);
  });

  it('are made by owners and by users who may edit the template, and answered a limited number of times', async () => {
    const { server, sample, open, anyone } = await setUp();
    const template = await sample.template();
    const manager = await addMember(server, 'ana', { projectId: sample.projectId, role: 'manager' });
    const runner = await addMember(server, 'ben', { projectId: sample.projectId, role: 'task_runner' });
    const made = async (client: typeof manager, path: string) =>
      (await client.post(`${sample.base}${path}`)).statusCode;
    expect([await made(manager, '/feed'), await made(runner, `/templates/${template}/badge`)]).toEqual([403, 403]);
    expect(await made(manager, `/templates/${template}/badge`)).toBe(201);
    const feed = await open('/feed');
    const codes: number[] = [];
    for (let count = 0; count < 121; count++) codes.push((await anyone.get(feed)).statusCode);
    expect([codes.filter((code) => code === 200).length, codes.at(-1)]).toEqual([120, 429]);
  });

  it('answer 404 for a restricted template however often they are requested', async () => {
    const { admin, sample, open, anyone } = await setUp();
    const template = await sample.template();
    const badge = await open(`/templates/${template}/badge`);
    await admin.put(`${sample.base}/templates/${template}`, { restricted: true });
    const codes = new Set<number>();
    for (let count = 0; count < 122; count++) codes.add((await anyone.get(badge)).statusCode);
    expect([...codes]).toEqual([404]);
  });
});
