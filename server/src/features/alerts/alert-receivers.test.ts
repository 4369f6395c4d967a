import { expect, it } from 'vitest';
import { alertedProject } from '../../testing/alerted-project.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { answering, startReceiver } from '../../testing/http-receiver.ts';
import { refusal, startMailServer } from '../../testing/mail-server.ts';

const SECRET = 'the-secret-of-the-hook';
const PATH = '/services/T00/B00/very-secret-path';

describeOneDatabase('an alert receiver', (makeLocation) => {
  it('[S3] [S4] never returns its address or secret, and both are encrypted', async () => {
    const { admin, sample, server } = await alertedProject(await makeLocation());
    const list = `${sample.base}/alerts/receivers`;
    const body = { name: 'Ops', kind: 'webhook', url: `https://hooks.example.org${PATH}`, secret: SECRET };
    const made = await admin.post(list, body);
    expect(made.statusCode, made.body).toBe(201);
    const { id } = made.json<{ id: number }>();
    const shown = { id, project_id: sample.projectId, name: 'Ops', kind: 'webhook', active: true, has_secret: true };
    expect(made.json()).toEqual(shown);
    expect((await admin.get(`${list}/${id}`)).json()).toEqual(shown);
    expect((await admin.get(list)).json()).toEqual([shown]);
    const rows = JSON.stringify(await server.storage.database.read.selectFrom('alert_receiver').selectAll().execute());
    const events = (await admin.get(`${sample.base}/events`)).body;
    for (const text of [rows, events, made.body]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(PATH);
    }
    expect(events).toContain('Alert receiver Ops created');
  });

  it('keeps the fields that a change omits, and loses its secret when its kind changes', async () => {
    const receiverServer = await startReceiver();
    const { admin, sample, receiver } = await alertedProject(await makeLocation());
    const id = await receiver(receiverServer.url, { secret: SECRET });
    const path = `${sample.base}/alerts/receivers/${id}`;
    expect((await admin.put(path, { name: 'Other' })).statusCode).toBe(204);
    expect((await admin.post(`${path}/test`)).json()).toEqual({ sent: true, fault: null, detail: '' });
    expect(receiverServer.posts[0]?.headers['x-signalbox-signature']).toMatch(/^v1=[0-9a-f]{64}$/);
    expect(receiverServer.posts[0]?.body).toMatchObject({ event: 'test', url: null });
    expect((await admin.put(path, { secret: null })).statusCode).toBe(204);
    expect((await admin.get(path)).json()).toMatchObject({ name: 'Other', has_secret: false });
    expect((await admin.put(path, { secret: SECRET, kind: 'slack' })).statusCode).toBe(204);
    expect((await admin.get(path)).json()).toMatchObject({ kind: 'slack', has_secret: false });
    expect((await admin.put(path, { url: null })).statusCode).toBe(400);
    for (const url of ['ftp://x.example', 'javascript:alert(1)', 'https://', '/etc/passwd', 'x']) {
      const refused = await admin.put(path, { url });
      expect(refused.statusCode, url).toBe(400);
      expect(Object.keys(refused.json<{ fields: object }>().fields)).toEqual(['url']);
    }
  });

  it('has a unique name, and a project has at most 50, even when they are added at the same time', async () => {
    const { admin, sample } = await alertedProject(await makeLocation());
    const list = `${sample.base}/alerts/receivers`;
    const body = (name: string) => ({ name, kind: 'slack', url: 'https://hooks.example.org/x' });
    const answers = await Promise.all(Array.from({ length: 54 }, (_, n) => admin.post(list, body(`R${n}`))));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(50);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(4);
    const [first] = (await admin.get(list)).json<{ id: number; name: string }[]>();
    expect((await admin.del(`${list}/${first?.id}`)).statusCode).toBe(204);
    const [taken] = (await admin.get(list)).json<{ name: string }[]>();
    expect((await admin.post(list, body(taken?.name ?? ''))).json()).toMatchObject({
      error: expect.stringContaining('There is already'),
    });
  });

  it('must not have an address of this machine or of a cloud, nor one that leads to such an address', async () => {
    const receiverServer = await startReceiver();
    const hopper = await startReceiver(answering(302, '', { location: receiverServer.url }));
    const { admin, sample, receiver, server } = await alertedProject(await makeLocation(), {
      settings: { SIGNALBOX_ALERT_NETWORKS: 'uniquelocal' },
    });
    const test = async (url: string) => {
      const id = await receiver(url);
      return (await admin.post(`${sample.base}/alerts/receivers/${id}/test`)).json();
    };
    const named = receiverServer.url.replace('127.0.0.1', 'localhost');
    for (const url of [
      receiverServer.url,
      named,
      receiverServer.url.replace('127.0.0.1', '0x7f.1'),
      receiverServer.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      'http://169.254.169.254/latest/meta-data/',
      'http://0.0.0.0/',
    ])
      expect(await test(url), url).toEqual({ sent: false, fault: 'address_refused', detail: '' });
    expect(receiverServer.posts).toEqual([]);
    await server.stop();
    const open = await alertedProject(await makeLocation());
    const id = await open.receiver(hopper.url);
    const answer = await open.admin.post(`${open.sample.base}/alerts/receivers/${id}/test`);
    expect(answer.json()).toEqual({ sent: false, fault: 'redirected', detail: '302' });
    expect(hopper.posts).toHaveLength(1);
    expect(receiverServer.posts).toEqual([]);
  });

  it('reports why it was not reached, without any content of the answer', async () => {
    const receiverServer = await startReceiver(answering(500, 'password of the database: hunter2'));
    const { admin, sample, receiver } = await alertedProject(await makeLocation());
    const test = async (url: string) => {
      const id = await receiver(url);
      return (await admin.post(`${sample.base}/alerts/receivers/${id}/test`)).json();
    };
    expect(await test(receiverServer.url)).toEqual({ sent: false, fault: 'failed', detail: '500' });
    expect(await test(receiverServer.url.replace('http:', 'https:'))).toMatchObject({
      sent: false,
      fault: 'not_trusted',
    });
    const { url } = receiverServer;
    await receiverServer.close();
    expect(await test(url)).toEqual({ sent: false, fault: 'not_reached', detail: 'ECONNREFUSED' });
    expect(await test('http://no-such-host.invalid/')).toMatchObject({ sent: false, fault: 'no_such_host' });
  });
});

describeOneDatabase('a test of the user’s own email', (makeLocation) => {
  it('is sent to the user, reports errors, and is limited', async () => {
    const mail = await startMailServer({}, (_, index) => (index === 0 ? undefined : refusal(550, 'no such user')));
    const { admin } = await alertedProject(await makeLocation(), { settings: mail.settings });
    expect((await admin.post('/user/alerts/test')).json()).toEqual({ sent: true, fault: null, detail: '' });
    expect(mail.mails[0]).toMatchObject({ to: ['admin@localhost'] });
    expect(mail.mails[0]?.headers.subject).toBe('Test alert from Signalbox');
    expect((await admin.post('/user/alerts/test')).json()).toEqual({ sent: false, fault: 'refused', detail: '550' });
    for (let n = 0; n < 8; n += 1) await admin.post('/user/alerts/test');
    expect((await admin.post('/user/alerts/test')).statusCode).toBe(429);
    expect(mail.mails).toHaveLength(10);
  });

  it('reports when no mail server is configured', async () => {
    const { admin, sample } = await alertedProject(await makeLocation());
    const none = { sent: false, fault: 'not_configured', detail: '' };
    expect((await admin.post('/user/alerts/test')).json()).toEqual(none);
    expect((await admin.post(`${sample.base}/alerts/chat/test`)).json()).toEqual(none);
    expect((await admin.get('/info')).json()).toMatchObject({ alert_channels: [] });
  });
});
