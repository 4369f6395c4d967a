import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { alertedProject } from '../../testing/alerted-project.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { answering, startReceiver } from '../../testing/http-receiver.ts';
import { startMailServer } from '../../testing/mail-server.ts';
import { addMember } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';

const BEHIND_PATH = { SIGNALBOX_URL: 'https://ops.example.org/box' };

describeOneDatabase('an alert', (makeLocation) => {
  it('contains all values for programs, with a signature over body and time', async () => {
    const location = await startReceiver();
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const { run, receiver, template, sample, server } = await alertedProject(await makeLocation(), {
      settings: BEHIND_PATH,
      clock,
    });
    await receiver(location.url, { secret: 'shared secret' });
    const id = await run({}, { message: 'Autumn release' });
    await location.until(1);
    await server.alerting.sender.idle();
    const [post] = location.posts;
    const { headers = {}, text = '', body = {} } = post ?? {};
    const timestamp = String(headers['x-signalbox-timestamp']);
    expect(timestamp).toBe(String(Date.parse('2026-11-21T10:00:00.000Z') / 1000));
    const expected = createHmac('sha256', 'shared secret').update(`${timestamp}.${text}`).digest('hex');
    expect(headers['x-signalbox-signature']).toBe(`v1=${expected}`);
    expect(headers['user-agent']).toMatch(/^Signalbox\/\d/);
    expect(body).toEqual({
      id: headers['x-signalbox-delivery'],
      event: 'task.ended',
      at: '2026-11-21T10:00:00.000Z',
      url: `https://ops.example.org/box/project/${sample.projectId}/history?t=${id}`,
      text: expect.stringContaining(`Deploy #${id} failed\n`),
      project: { id: sample.projectId, name: 'Shop' },
      template: { id: template, name: 'Deploy', type: '' },
      task: expect.objectContaining({
        ...{ id, status: 'error', playbook: 'site.yml', message: 'Autumn release' },
        end_reason: {
          code: 'hosts.failed',
          params: { failed: 2, hosts: 3, host: 'web-02', step: 'Install nginx', message: 'No package nginx <b>' },
          text: '2 of 3 hosts failed (web-02, “Install nginx”: No package nginx <b>)',
        },
      }),
      user: 'admin',
      schedule: '',
      webhook: '',
      failed_hosts: ['web-02', 'web-03'],
      failed_hosts_total: 2,
      failures: [
        {
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
          ...{ result: 'failed', cause: null, title: 'No package', step: 'Install nginx', hosts: 1 },
        },
        expect.objectContaining({ result: 'unreachable', hosts: 1 }),
      ],
      failures_total: 2,
      first_error: { host: 'web-02', step: 'Install nginx', message: 'No package nginx <b>' },
    });
    expect(body.text).toContain('2 hosts failed: web-02, web-03');
    expect(body.text).toContain('Reason: 2 of 3 hosts failed (web-02, “Install nginx”: No package nginx <b>)');
    expect(body.text).toContain('Started by: admin');
  });

  it('removes characters from names that change the text direction', async () => {
    const location = await startReceiver();
    const { run, receiver, server, template } = await alertedProject(await makeLocation());
    await receiver(location.url);
    // The API refuses such names now, but an older database may have them.
    const { autocommit } = server.storage.database;
    const name = 'Deploy \u202eto \u2066live';
    await autocommit.updateTable('template').set({ name }).where('id', '=', template).execute();
    await run({}, { message: 'for \u202dAutumn' });
    await location.until(1);
    const text = String(location.posts[0]?.body.text);
    expect(text).toContain('Deploy to live #');
    expect(text).toContain('Message: for Autumn');
  });

  it('has the format of each kind of receiver, and output of a run cannot become markup', async () => {
    const location = await startReceiver();
    const { run, receiver, sample } = await alertedProject(await makeLocation(), {
      settings: BEHIND_PATH,
      project: { alert_language: 'de' },
    });
    for (const kind of ['slack', 'teams', 'mattermost'])
      await receiver(location.url.replace('hook', kind), { kind, secret: 'x' });
    const id = await run({}, { message: '[click](https://evil.example) @all <!channel>' });
    await location.until(3);
    const link = `https://ops.example.org/box/project/${sample.projectId}/history?t=${id}`;
    const bodyAt = (path: string) => location.posts.find((post) => post.path === path)?.body ?? {};
    const slack = String(bodyAt('/slack').text);
    expect(slack).toContain(`*Deploy #${id} ist fehlgeschlagen*`);
    expect(slack).toContain(
      'Grund: 2 von 3 Hosts fehlgeschlagen (web-02, „Install nginx“: No package nginx &lt;b&gt;)',
    );
    expect(slack).toContain('@all &lt;!channel&gt;');
    expect(slack).toContain(`<${link}|Aufgabe öffnen>`);
    const mattermost = String(bodyAt('/mattermost').text);
    expect(mattermost).toContain(`[Aufgabe öffnen](${link})`);
    expect(mattermost).not.toContain('[click](');
    expect(mattermost).not.toContain('@all');
    const [card] = bodyAt('/teams').attachments as {
      contentType: string;
      content: { body: object[]; actions: object[] };
    }[];
    expect(card?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(card?.content.body[0]).toMatchObject({ text: `Deploy \\#${id} ist fehlgeschlagen`, color: 'Attention' });
    expect(card?.content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Aufgabe öffnen', url: link }]);
    for (const { headers } of location.posts) expect(headers['x-signalbox-signature']).toBeUndefined();
  });

  it('explains why a run failed before it had results, and names the schedule or the webhook that started it', async () => {
    const location = await startReceiver();
    const { admin, run, receiver, sample, template } = await alertedProject(await makeLocation());
    await receiver(location.url);
    const params = { repository: 'https://git.example/a.git', detail: 'Could not resolve host' };
    await run({ records: [], reason: { code: 'git.unreachable', params } });
    await location.until(1);
    expect(location.posts[0]?.body).toMatchObject({
      task: { end_reason: { code: 'git.unreachable', params } },
      failed_hosts: [],
      ...{ failures: [], failures_total: 0, first_error: null },
    });
    expect(String(location.posts[0]?.body.text)).toContain(
      "Reason: The repository https://git.example/a.git can't be reached: Could not resolve host",
    );
    await run({ scheduleName: 'Nightly' });
    await location.until(2);
    expect(location.posts[1]?.body).toMatchObject({ user: '', schedule: 'Nightly' });
    expect(String(location.posts[1]?.body.text)).toContain('Started by: Schedule Nightly');
    const hook = { name: 'Release published', template_id: template, sender_check: 'none' };
    const { id, name } = (await admin.post(`${sample.base}/webhooks`, hook)).json<{ id: number; name: string }>();
    await run({ webhook: { id, name } });
    await location.until(3);
    expect(location.posts[2]?.body).toMatchObject({ user: '', schedule: '', webhook: 'Release published' });
    expect(String(location.posts[2]?.body.text)).toContain('Started by: Webhook Release published');
  });

  it('is mailed once to the members who want alerts, in their language, with one message id', async () => {
    const mail = await startMailServer();
    const { server, admin, run, sample, deliveries } = await alertedProject(await makeLocation(), {
      settings: { ...mail.settings, ...BEHIND_PATH, SIGNALBOX_TIMEZONE: 'Europe/Berlin' },
    });
    const [ana] = [await addMember(server, 'ana', { projectId: sample.projectId, role: 'guest' })];
    await addMember(server, 'bob', { projectId: sample.projectId, role: 'owner' });
    await addMember(server, 'stranger');
    const own = (await ana.get('/user')).json<{ id: number }>();
    expect((await ana.put(`/users/${own.id}`, { alert: true, language: 'fr' })).statusCode).toBe(204);
    const id = await run();
    await mail.until(1);
    await server.alerting.sender.idle();
    expect(mail.mails).toHaveLength(1);
    const [got] = mail.mails;
    expect(got).toMatchObject({ to: ['ana@example.com'], from: 'signalbox@example.org' });
    expect(got?.headers.subject).toBe(`[Shop] Deploy #${id} a échoué`);
    expect(got?.headers['auto-submitted']).toBe('auto-generated');
    expect(got?.headers['message-id']).toBe(`<${got?.headers['x-signalbox-delivery']}@example.org>`);
    expect(got?.text).toContain('2 hôtes en échec\u00a0: web-02, web-03');
    expect(got?.text).toContain(`https://ops.example.org/box/project/${sample.projectId}/history?t=${id}`);
    expect((await deliveries())[0]).toMatchObject({
      channel: 'email',
      receiver: 'ana',
      state: 'sent',
      status: 'error',
    });
    // An unconfirmed address may belong to another person.
    const claim = { email: 'victim@example.com', current_password: 'password of ana' };
    const claimed = await ana.put(`/users/${own.id}`, claim);
    expect(claimed.statusCode, claimed.body).toBe(204);
    await run();
    await server.alerting.sender.idle();
    expect(mail.mails).toHaveLength(1);
    expect(await deliveries()).toHaveLength(1);
    await admin.put(`/users/${own.id}`, { email_proven: true });
    // A user who has left gets no message, not even one that was waiting.
    await admin.del(`${sample.base}/users/${own.id}`);
    await run();
    await server.alerting.sender.idle();
    expect(mail.mails).toHaveLength(1);
  });

  it('is sent to the Telegram chat of the project by the configured bot', async () => {
    const location = await startReceiver(answering(200, '{"ok":true,"result":{}}'));
    const { run, server, deliveries, admin, sample } = await alertedProject(await makeLocation(), {
      settings: { SIGNALBOX_TELEGRAM_TOKEN: '123:abc', SIGNALBOX_TELEGRAM_URL: location.url.replace('/hook', '/') },
      project: { alert_chat: ' -1001 ', alert_language: 'zh' },
    });
    const id = await run({ status: 'success' });
    await location.until(1);
    await server.alerting.sender.idle();
    expect(location.posts[0]).toMatchObject({ path: '/bot123:abc/sendMessage', body: { chat_id: '-1001' } });
    expect(location.posts[0]?.body.text).toContain(`Deploy #${id} 已成功`);
    expect((await deliveries())[0]).toMatchObject({ channel: 'telegram', receiver: '', state: 'sent' });
    expect((await admin.get('/info')).json()).toMatchObject({ alert_channels: ['telegram'] });
    location.answers(answering(400, '{"ok":false}'));
    const answer = await admin.post(`${sample.base}/alerts/chat/test`);
    expect(answer.json()).toEqual({ sent: false, fault: 'refused', detail: '400' });
  });
});
