import { type AlertDelivery, type EndReason, NewTask } from '@signalbox/contract';
import { SYSTEM } from '../audit/record-event.ts';
import type { Clock } from '../clock.ts';
import { alertingEnd } from '../composition/alerting.ts';
import { reportedReason } from '../dispatch/session/reported-reason.ts';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { launchTask } from '../features/tasks/launch/task-launch.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import type { TestLocation } from './database/databases.ts';
import { sampleProject } from './sample-project.ts';
import { startTestServer } from './test-server.ts';

/** Allows receivers on this machine, where those of the tests are. */
export const NEARBY = { SIGNALBOX_ALERT_NETWORKS: 'loopback' };

const FAILURE = [
  { kind: 'play', at: 1, line: 1, play: 1, name: 'Web', hosts: 2 },
  { kind: 'step', at: 1, line: 2, step: 1, play: 1, name: 'Install nginx', action: 'apt', handler: false },
  { kind: 'host', at: 1, line: 3, step: 1, host: 'web-01', result: 'ok', message: '' },
  { kind: 'host', at: 1, line: 4, step: 1, host: 'web-02', result: 'failed', message: 'No package\nnginx <b>' },
  { kind: 'host', at: 1, line: 5, step: 1, host: 'web-03', result: 'unreachable', message: 'timed out' },
];

export interface Ending {
  readonly status?: 'success' | 'error' | 'stopped';
  readonly records?: readonly object[];
  readonly reason?: EndReason;
  /** Name of the schedule that starts the task instead of a user. */
  readonly scheduleName?: string;
  /** The webhook that starts the task instead of a user. */
  readonly webhook?: { readonly id: number; readonly name: string };
}

const EVENTS = { success: 'succeeded', error: 'failed', stopped: 'stopped' } as const;

/** Starts a server with a project that sends alerts. The test decides how its tasks end. */
export const alertedProject = async (
  location: TestLocation,
  { settings = {}, clock, project = {} }: { settings?: Record<string, string>; clock?: Clock; project?: object } = {},
) => {
  const server = await startTestServer(location, { ...NEARBY, ...settings }, clock);
  const admin = await server.signIn();
  const sample = await sampleProject(admin, 'Shop', { alert: true, ...project });
  const template = await sample.template({ name: 'Deploy', allow_parallel_tasks: true });
  const { database, logs } = server.storage;
  const end = alertingEnd(server.alerting.channels, EVERY_ENVIRONMENT);
  /** Runs a task to its end with the reports that a runner would send, and wakes the sender. */
  const run = async (
    { status = 'error', records, reason, scheduleName, webhook }: Ending = {},
    input: object = {},
  ): Promise<number> => {
    const now = clock?.now() ?? new Date();
    const request = NewTask.parse({ template_id: template, ...input });
    const actor = scheduleName === undefined && webhook === undefined ? { userId: 1, address: '' } : SYSTEM;
    const launch = {
      projectId: sample.projectId,
      request,
      actor,
      mayOverride: true,
      environments: EVERY_ENVIRONMENT,
      now,
      scheduleName: scheduleName ?? '',
      ...(webhook ? { webhook } : {}),
    };
    const { id } = await database.write((tx) => launchTask(tx, launch));
    await applyEvent(database.autocommit, id, 'accepted', now);
    await applyEvent(database.autocommit, id, 'started', now);
    if (status === 'stopped') await applyEvent(database.autocommit, id, 'stop', now);
    const texts = records ?? (status === 'error' ? FAILURE : []);
    if (texts.length > 0) await logs.appendResults({ taskId: id, epoch: 1, first: 1, records: [...texts] });
    await logs.closeLog(id);
    const ended = { type: 'ended', task_id: id, epoch: 1, result: status, reason: 'exit_code', lines: 0 } as const;
    const why = reason ?? (await reportedReason(ended, logs));
    await database.write((tx) => end(tx, id, EVENTS[status], now, undefined, why));
    server.alerting.sender.wake();
    return id;
  };
  const receiver = async (url: string, input: object = {}): Promise<number> => {
    const body = { name: `Receiver ${Math.random()}`, kind: 'webhook', url, ...input };
    const answer = await admin.post(`${sample.base}/alerts/receivers`, body);
    if (answer.statusCode !== 201) throw new Error(answer.body);
    return answer.json<{ id: number }>().id;
  };
  const deliveries = async (): Promise<AlertDelivery[]> =>
    (await admin.get(`${sample.base}/alerts/deliveries?limit=200`)).json<AlertDelivery[]>();
  return { server, admin, sample, template, run, receiver, deliveries };
};
