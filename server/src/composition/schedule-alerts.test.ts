import { expect, it } from 'vitest';
import { alertedProject } from '../testing/alerted-project.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { startReceiver } from '../testing/http-receiver.ts';
import { TestClock } from '../testing/test-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

describeEachDatabase('the alert about a schedule that started no task', (makeLocation) => {
  it('is sent once a day for each reason, in the language of the receiver, and not for runs that were skipped', async () => {
    const hook = await startReceiver();
    const clock = new TestClock('2026-11-21T02:00:30.000Z');
    const { server, admin, sample, template, receiver, deliveries } = await alertedProject(await makeLocation(), {
      clock,
      project: { alert_language: 'de' },
    });
    await receiver(hook.url);
    const pass = async (minutes: number, step = 1) => {
      for (let n = 0; n < minutes; n += step) {
        clock.pass(step * MINUTE_MS);
        await server.schedules.quiet();
        // A lease would end while the clock moves, and the message would be sent again.
        await server.alerting.sender.idle();
      }
    };
    const schedule = async (body: object) =>
      (await admin.post(`${sample.base}/schedules`, { name: 'Nightly', ...body })).json<{ id: number }>().id;
    const build = await sample.template({ type: 'build', start_version: '1' });
    const deploy = await sample.template({ name: 'Ship', type: 'deploy', build_template_id: build });
    const id = await schedule({ template_id: deploy, cron_format: '0,30 3 * * *' });
    // A schedule in a freeze window, and one whose last task has not ended.
    await schedule({ template_id: template, cron_format: '*/20 3 * * *', overlap: 'skip', name: 'Skips' });
    const frozen = await sample.template();
    await admin.post(`${sample.base}/freeze_windows`, {
      ...{ name: 'Freeze', reason: 'x', template_id: frozen, scheduled_runs: 'skip' },
      ...{ starts_at: '2026-11-21T00:00:00Z', ends_at: '2026-12-21T00:00:00Z' },
    });
    await schedule({ template_id: frozen, cron_format: '10 3 * * *', name: 'Frozen' });
    await pass(100);
    await hook.until(1);
    expect(hook.posts[0]?.body).toMatchObject({
      event: 'schedule.not_started',
      project: { name: 'Shop' },
      template: { name: 'Ship' },
      schedule: { id, name: 'Nightly' },
      due: '2026-11-21T03:00:00.000Z',
      reason: { code: 'conflict.no_build' },
      url: expect.stringMatching(new RegExp(`/project/${sample.projectId}/schedules\\?edit=${id}$`)),
    });
    const text = String(hook.posts[0]?.body.text);
    for (const part of [
      'Zeitplan Nightly hat keine Aufgabe gestartet',
      'Vorlage: Ship',
      'Termin: 21.11.2026',
      'Grund: ',
    ])
      expect(text).toContain(part);
    expect(await deliveries()).toMatchObject([
      { task_id: null, schedule_id: id, schedule: 'Nightly', template: 'Ship', status: 'not_started' },
    ]);

    // The due times of the next day at which the reason is older than 24 hours.
    await pass(DAY_MINUTES - 60, 4);
    await pass(60);
    await hook.until(2);
    await server.alerting.sender.idle();
    expect(hook.posts.map(({ body }) => body.due)).toEqual([
      '2026-11-21T03:00:00.000Z',
      expect.stringMatching(/^2026-11-22T03/),
    ]);
  });

  it('is sent for due times that were missed, and only by projects with alerts', async () => {
    const hook = await startReceiver();
    const clock = new TestClock('2026-11-21T02:59:30.000Z');
    const { server, admin, sample, template, receiver } = await alertedProject(await makeLocation(), { clock });
    await receiver(hook.url);
    const id = (
      await admin.post(`${sample.base}/schedules`, { template_id: template, name: 'Nightly', cron_format: '0 3 * * *' })
    ).json<{ id: number }>().id;
    await server.schedules.quiet();
    clock.step(30 * MINUTE_MS);
    clock.pass(10_000);
    await server.schedules.quiet();
    await hook.until(1);
    expect(hook.posts[0]?.body).toMatchObject({ schedule: { id }, reason: { code: 'reason.no_server' } });
    await admin.put(`${sample.base}`, { alert: false });
    clock.step(2 * DAY_MINUTES * MINUTE_MS);
    clock.pass(10_000);
    await server.schedules.quiet();
    await server.alerting.sender.idle();
    expect(hook.posts).toHaveLength(1);
  });
});
