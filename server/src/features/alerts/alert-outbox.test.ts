import { once } from 'node:events';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it, vi } from 'vitest';
import { alertedProject, NEARBY } from '../../testing/alerted-project.ts';
import { withOpenLocation } from '../../testing/database/database-snapshot.ts';
import { describeOneDatabase, describeRemoteDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { answering, type Received, startReceiver } from '../../testing/http-receiver.ts';
import { addMember } from '../../testing/sample-project.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';

const KEY = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

/** Ends the leases of a killed server, which last half a minute. */
const endLeases = (where: TestLocation): Promise<unknown> =>
  withOpenLocation(where, ({ autocommit }) =>
    autocommit
      .updateTable('alert_delivery')
      .set({ lease_until: new Date(0).toISOString() })
      .execute(),
  );

const taskOf = ({ body }: Received): number => (body.task as { id: number }).id;
const idOf = ({ headers }: Received): string => String(headers['x-signalbox-delivery']);

describeOneDatabase('the outbox of alerts', (makeLocation) => {
  it('sends each message once to each receiver, in the order of the ends', async () => {
    const [one, two] = [await startReceiver(), await startReceiver()];
    const { run, receiver, deliveries } = await alertedProject(await makeLocation());
    await receiver(one.url);
    await receiver(two.url);
    const ids: number[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await run());
    await Promise.all([one.until(12), two.until(12)]);
    for (const { posts } of [one, two]) {
      expect(posts.map(taskOf)).toEqual(ids);
      expect(new Set(posts.map(idOf)).size).toBe(12);
    }
    await expect.poll(async () => (await deliveries()).filter(({ state }) => state === 'sent').length).toBe(24);
    expect((await deliveries()).every(({ attempts, fault }) => attempts === 1 && fault === null)).toBe(true);
  });

  it('asks receivers, and only members who may give it, for an approval that a task waits for', async () => {
    const location = await startReceiver();
    const { admin, server, sample, receiver, deliveries } = await alertedProject(await makeLocation(), {
      settings: {
        SIGNALBOX_SMTP_HOST: '127.0.0.1',
        SIGNALBOX_SMTP_PORT: '1',
        SIGNALBOX_SMTP_FROM: 'signalbox@localhost',
      },
    });
    await receiver(location.url);
    for (const [name, role] of [
      ['olga', 'owner'],
      ['rob', 'task_runner'],
    ] as const)
      await addMember(server, name, { projectId: sample.projectId, role });
    await server.storage.database.autocommit
      .updateTable('users')
      .set({ alert: 1, email_proven: 1 })
      .where('username', 'in', ['olga', 'rob'])
      .execute();
    const template_id = await sample.template({
      name: 'Harden',
      approval: 'anyone',
      prompts: { limit: 'any' },
      survey_vars: [
        { name: 'level', title: 'Level', type: 'string' },
        { name: 'code', title: 'Code', type: 'secret' },
      ],
    });
    const environment = JSON.stringify({ level: 'high', code: 'hidden-answer' });
    const request = { template_id, message: 'Audit', limit: 'web-01', environment };
    const { id } = (await admin.post(`${sample.base}/tasks`, request)).json<{ id: number }>();
    await location.until(1);
    expect(location.posts[0]?.body).toMatchObject({
      ...{ event: 'task.approval_needed', text: expect.stringContaining(`Harden #${id} waits for an approval`) },
      ...{ task: { id, message: 'Audit', limit: 'web-01', answers: { level: 'high' } }, user: 'admin' },
      template: { name: 'Harden' },
    });
    const text = JSON.stringify(location.posts[0]?.body);
    for (const line of ['Limit to hosts: web-01', 'Branch or tag: main', 'Answers: level=high'])
      expect(text).toContain(line);
    expect(text).not.toContain('hidden-answer');
    const [event] = (await admin.get(`${sample.base}/events`)).json<{ kind: string }[]>();
    expect(event?.kind).toBe('task.requested');
    const stored = (await deliveries()).map(({ receiver: to, channel, status }) => [channel, status, to]);
    expect(stored.filter(([channel]) => channel === 'email')).toEqual([['email', 'approval_needed', 'olga']]);
  });

  it('retries a failing receiver until it is back, and keeps the order', async () => {
    const location = await startReceiver((_, response, index) => {
      // The receiver is down, then sends a broken answer, then an error status, then accepts.
      if (index === 0) response.destroy();
      else response.writeHead(index < 3 ? 503 : 200).end();
    });
    const { run, receiver, deliveries } = await alertedProject(await makeLocation());
    await receiver(location.url);
    const first = await run();
    const second = await run();
    await location.until(5);
    expect(location.posts.map(taskOf)).toEqual([first, first, first, first, second]);
    expect(new Set(location.posts.map(idOf)).size).toBe(2);
    await expect.poll(async () => (await deliveries()).map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect((await deliveries()).map(({ attempts, task_id }) => [task_id, attempts])).toEqual([
      [second, 1],
      [first, 4],
    ]);
  }, 30_000);

  it('neither delays the end of a task nor other receivers when a receiver is slow', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const slow = await startReceiver(async (_, response) => {
      await opened;
      response.end();
    });
    const quick = await startReceiver();
    const { run, receiver, admin, sample } = await alertedProject(await makeLocation());
    await receiver(slow.url);
    await receiver(quick.url);
    const ids = [await run(), await run(), await run()];
    await Promise.all([quick.until(3), slow.until(1)]);
    for (const id of ids) {
      expect((await admin.get(`${sample.base}/tasks/${id}`)).json()).toMatchObject({ status: 'error' });
    }
    // The slow receiver still handles its first message.
    expect(slow.posts.map(taskOf)).toEqual([ids[0]]);
    open();
    await slow.until(3);
    expect(slow.posts.map(taskOf)).toEqual(ids);
  });

  it('gives up at once after a permanent error, and after a day otherwise', async () => {
    const location = await startReceiver(answering(404));
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const { server, run, receiver, deliveries } = await alertedProject(await makeLocation(), { clock });
    await receiver(location.url);
    await run();
    await location.until(1);
    await server.alerting.sender.idle();
    expect((await deliveries())[0]).toMatchObject({
      state: 'failed',
      fault: 'refused',
      detail: '404',
      attempts: 1,
      next_attempt: null,
      ended: '2026-11-21T10:00:00.000Z',
    });
    location.answers(answering(500));
    await run();
    await location.until(2);
    await server.alerting.sender.idle();
    const [waiting] = await deliveries();
    expect(waiting).toMatchObject({ state: 'waiting', fault: 'failed', detail: '500', attempts: 1, ended: null });
    expect(Date.parse(waiting?.next_attempt ?? '') - clock.now().getTime()).toSatisfy((ms) => ms >= 500 && ms <= 1000);
    clock.pass(DAY_MS);
    await location.until(3);
    await server.alerting.sender.idle();
    expect((await deliveries())[0]).toMatchObject({ state: 'failed', fault: 'failed', attempts: 2 });
  });

  it('sends messages without findings when the log stays unreadable', async () => {
    const location = await startReceiver();
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const { server, run, receiver } = await alertedProject(await makeLocation(), { clock });
    const reading = vi.spyOn(server.storage.logs, 'resultHosts').mockRejectedValue(new Error('damaged'));
    await receiver(location.url);
    const ids = [await run(), await run()];
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await server.alerting.sender.idle();
      expect(reading).toHaveBeenCalledTimes(attempt);
      clock.pass(15_000);
    }
    await location.until(1);
    reading.mockRestore();
    await location.until(2);
    expect(location.posts.map(({ body }) => [(body.task as { id: number }).id, body.failed_hosts_total])).toEqual([
      [ids[0], 0],
      [ids[1], 2],
    ]);
  });

  it('counts a message as sent when the receiver accepted it, even if its answer is incomplete', async () => {
    const location = await startReceiver((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('tak', () => response.destroy());
    });
    const { server, run, receiver, deliveries } = await alertedProject(await makeLocation());
    await receiver(location.url);
    await run();
    await location.until(1);
    await server.alerting.sender.idle();
    expect((await deliveries())[0]).toMatchObject({ state: 'sent', fault: null, attempts: 1 });
    expect(location.posts).toHaveLength(1);
  });

  it.each([
    ['seconds', { 'retry-after': '120' }],
    ['a moment', { 'retry-after': 'Sat, 21 Nov 2026 10:22:00 GMT', date: 'Sat, 21 Nov 2026 10:20:00 GMT' }],
  ])('waits as long as a receiver requests in %s', async (_, headers) => {
    const location = await startReceiver(answering(429, '', headers));
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const { server, run, receiver, deliveries } = await alertedProject(await makeLocation(), { clock });
    await receiver(location.url);
    await run();
    await location.until(1);
    await server.alerting.sender.idle();
    expect((await deliveries())[0]).toMatchObject({ state: 'waiting', next_attempt: '2026-11-21T10:02:00.000Z' });
  });

  it('reports an address whose key is missing, and continues with the next message', async () => {
    const location = await startReceiver();
    const { server, admin, sample, run, receiver, deliveries } = await alertedProject(await makeLocation());
    const id = await receiver(location.url);
    await server.storage.database.autocommit
      .updateTable('alert_receiver')
      .set({ secret: 'v1:0badc0de:AAAA' })
      .where('id', '=', id)
      .execute();
    const tried = await admin.post(`${sample.base}/alerts/receivers/${id}/test`);
    expect(tried.json()).toEqual({ sent: false, fault: 'not_configured', detail: 'ENCRYPTION_KEY' });
    await run();
    await server.alerting.sender.idle();
    expect((await deliveries())[0]).toMatchObject({ state: 'failed', fault: 'not_configured', attempts: 1 });
    await admin.put(`${sample.base}/alerts/receivers/${id}`, { url: location.url });
    await run();
    await server.alerting.sender.idle();
    expect((await deliveries())[0]).toMatchObject({ state: 'sent' });
  });

  it('sends no message to recipients who no longer want it', async () => {
    const location = await startReceiver();
    const { admin, sample, run, receiver, deliveries, server } = await alertedProject(await makeLocation());
    const id = await receiver(location.url);
    const quiet = await sample.template({ suppress_success_alerts: true });
    await run({ status: 'success' }, { template_id: quiet });
    await run({ status: 'error' }, { template_id: quiet });
    await run({ status: 'success' });
    await run({ status: 'stopped' });
    await location.until(3);
    expect(location.posts.map(({ body }) => (body.task as { status: string }).status)).toEqual([
      'error',
      'success',
      'stopped',
    ]);
    await admin.put(`${sample.base}/alerts/receivers/${id}`, { active: false });
    await run();
    await admin.put(`${sample.base}/alerts/receivers/${id}`, { active: true });
    await admin.put(sample.base, { alert: false });
    await run();
    await server.alerting.sender.idle();
    expect(await deliveries()).toHaveLength(3);
  });

  it('drops messages to a receiver that was deleted meanwhile', async () => {
    const location = await startReceiver(answering(500));
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const { server, admin, sample, run, receiver, deliveries } = await alertedProject(await makeLocation(), { clock });
    const id = await receiver(location.url, { name: 'Gone' });
    await run();
    await location.until(1);
    await server.alerting.sender.idle();
    expect((await admin.del(`${sample.base}/alerts/receivers/${id}`)).statusCode).toBe(204);
    clock.pass(60_000);
    await server.alerting.sender.idle();
    expect((await deliveries())[0]).toMatchObject({ state: 'dropped', fault: 'not_wanted', receiver: 'Gone' });
    expect(location.posts).toHaveLength(1);
  });

  it('deletes expired alerts', async () => {
    const location = await startReceiver();
    const clock = new TestClock('2026-11-21T10:00:00.000Z');
    const where = await makeLocation();
    const { server, run, receiver, deliveries } = await alertedProject(where, { clock, settings: KEY });
    await receiver(location.url);
    await run();
    await server.alerting.sender.idle();
    expect(await deliveries()).toHaveLength(1);
    await server.stop();
    clock.pass(31 * DAY_MS);
    const later = await startTestServer(where, KEY, clock);
    const { read } = later.storage.database;
    await expect.poll(() => read.selectFrom('alert_delivery').selectAll().execute()).toEqual([]);
    expect(await read.selectFrom('alert').selectAll().execute()).toEqual([]);
  });

  it('[R1] loses no message when the server is killed repeatedly, and keeps the order', async () => {
    const COUNT = 30;
    const where = await makeLocation();
    const location = await startReceiver(answering(503));
    const { server, run, receiver } = await alertedProject(where, { settings: KEY });
    await receiver(location.url);
    const ids: number[] = [];
    for (let n = 0; n < COUNT; n += 1) ids.push(await run());
    await server.stop();
    const taken: Received[] = [];
    const has = (count: number) => new Set(taken.map(idOf)).size >= count;
    const polls = new Set<() => void>();
    location.answers((post, response) => {
      taken.push(post);
      // Some answers are in flight when the server is killed.
      setTimeout(() => response.end(), 20);
      for (const poll of polls) poll();
    });
    const until = async (count: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const poll = () => (has(count) ? resolve() : undefined);
      polls.add(poll);
      poll();
      await promise;
      polls.delete(poll);
    };
    for (const stage of [8, 16]) {
      const { child } = signalbox(where, 'server', { ...KEY, ...NEARBY });
      await until(stage);
      child.kill('SIGKILL');
      await once(child, 'close');
      await endLeases(where);
    }
    signalbox(where, 'server', { ...KEY, ...NEARBY });
    await until(COUNT);
    const firsts = taken.filter((post, index) => taken.findIndex((other) => idOf(other) === idOf(post)) === index);
    expect(firsts.map(taskOf)).toEqual(ids);
    // At most the messages that were being sent at a kill arrive twice, with the same id.
    expect(taken.length - COUNT).toBeLessThanOrEqual(2);
  }, 180_000);
});

describeRemoteDatabase('servers that share an outbox', (makeLocation) => {
  it('never send a message twice, nor two messages to one receiver at the same time', async () => {
    const where = await makeLocation();
    let [busy, most] = [0, 0];
    const location = await startReceiver(async (_, response) => {
      busy += 1;
      most = Math.max(most, busy);
      await new Promise((resolve) => setTimeout(resolve, 5));
      busy -= 1;
      response.end();
    });
    const { run, receiver, server } = await alertedProject(where, { settings: KEY });
    await receiver(location.url);
    const other = await startTestServer({ ...where, folder: (await makeLocation()).folder }, { ...KEY, ...NEARBY });
    const ids: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      ids.push(await run());
      other.alerting.sender.wake();
      server.alerting.sender.wake();
    }
    await location.until(20);
    await Promise.all([server.alerting.sender.idle(), other.alerting.sender.idle()]);
    expect(location.posts.map(taskOf)).toEqual(ids);
    expect(most).toBe(1);
  }, 30_000);
});
