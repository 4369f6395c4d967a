import type { HostList, HostRecord, ResultRecord } from '@signalbox/contract';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { endTask } from '../features/tasks/task-end.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import type { MakeLocation } from './database/databases.ts';
import { sampleProject } from './sample-project.ts';
import { sampleRun } from './sample-results.ts';
import { TestClock } from './test-clock.ts';
import { startTestServer } from './test-server.ts';

/** A project whose templates run on four hosts: web-1 changes, web-2 fails and web-3 is unreachable. */
export const playedHosts = async (makeLocation: MakeLocation) => {
  const clock = new TestClock('2026-11-19T10:00:00.000Z');
  const server = await startTestServer(await makeLocation(), {}, clock);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const { database, logs } = server.storage;
  /** Runs a template. `note` adds to the results of hosts. */
  const play = async (
    template: number,
    ended: string,
    note: (record: HostRecord) => Partial<HostRecord> = () => ({}),
  ): Promise<number> => {
    const answer = await admin.post(`${sample.base}/tasks`, { template_id: template });
    const { id } = answer.json<{ id: number }>();
    const at = new Date(ended);
    await applyEvent(database.autocommit, id, 'accepted', at);
    await applyEvent(database.autocommit, id, 'started', at);
    const records = sampleRun({ hosts: 4, steps: 3 }).map(
      (record): ResultRecord => (record.kind === 'host' ? { ...record, ...note(record) } : record),
    );
    await logs.appendResults({ taskId: id, epoch: 1, first: 1, records });
    await logs.closeLog(id);
    await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, id, 'failed', at));
    server.outbox.wake();
    await server.outbox.idle();
    return id;
  };
  const idOf = async (name: string): Promise<number> => {
    const { hosts } = (await admin.get(`${sample.base}/hosts?name=${name}`)).json<HostList>();
    return hosts[0]?.id ?? 0;
  };
  return { clock, server, admin, sample, play, idOf };
};
