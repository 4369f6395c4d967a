import { expect, it } from 'vitest';
import { systemClock } from '../../clock.ts';
import { applyEvent } from '../../features/tasks/task-transition.ts';
import type { Line } from '../../logs/block-codec.ts';
import { describeEachDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { RunRecorder, type TaskEvents, type TaskRow } from './run-recorder.ts';

const TEXTS = 'The runner was removed.';
const AT = Date.parse('2026-11-21T10:00:00.000Z');

const end: TaskEvents['end'] = async (tx, ...event) => {
  const task = await applyEvent(tx, ...event);
  return task ? [task] : [];
};

/** Creates a recorder and a run, and collects what the recorder reports. */
const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const client = await server.signIn();
  const { base, template } = await sampleProject(client);
  const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
  const { database, logs } = server.storage;
  const changed: TaskRow[] = [];
  const received: string[] = [];
  const recorder = new RunRecorder({
    database,
    logs,
    clock: systemClock,
    tasks: { apply: applyEvent, end },
    listeners: {
      changed: (tasks) => void changed.push(...tasks),
      detailsChanged: (task) => void changed.push(task),
      lines: (_project, _task, first, lines) => {
        for (const [index, [, text]] of lines.entries()) received.push(`${first + index} ${text}`);
      },
      results: () => undefined,
    },
  });
  const batch = (first: number, ...texts: string[]) => ({
    taskId: id,
    epoch: 1,
    first,
    lines: texts.map((text): Line => [AT, text]),
    offset: first * 10,
  });
  const become = async (status: TaskRow['status']): Promise<void> => {
    await database.autocommit.updateTable('task').set({ status, epoch: 1 }).where('id', '=', id).execute();
  };
  const task = () => database.read.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const texts = async () => (await logs.lines(id, 1, 100)).map(([, text]) => text);
  const versions = async () => (await client.get(`${base}/tasks/${id}/versions`)).json().versions;
  return { recorder, versions, logs, id, batch, become, task, texts, changed, received };
};

describeEachDatabase('the record of a run', (makeLocation) => {
  it('has the versions that its runner reported last, and none of an earlier lease', async () => {
    const { recorder, id, become, versions } = await setUp(makeLocation);
    await become('running');
    const reported = { ansible: '2.19.4', python: '3.13.1', image_digest: null, collections: [], roles: [] };
    await recorder.storeVersions(id, 1, { ...reported, ansible: '2.18.0' });
    await recorder.storeVersions(id, 1, reported);
    await recorder.storeVersions(id, 0, { ...reported, ansible: '2.17.0' });
    expect(await versions()).toEqual(reported);
  });

  it('[R3] [R6] ends with the reason as its last line, even if the runner sends output meanwhile', async () => {
    const { recorder, logs, id, batch, become, task, texts, received } = await setUp(makeLocation);
    await become('running');
    await recorder.storeOutput(1, batch(1, 'one'));
    await Promise.all([recorder.storeOutput(1, batch(2, 'two', 'three')), recorder.end(1, id, 'lost', 1, TEXTS)]);
    expect(await texts()).toEqual(['one', 'two', 'three', TEXTS]);
    expect(received).toEqual(['1 one', '2 two', '3 three', `4 ${TEXTS}`]);
    expect((await logs.head(id)).closed).toBe(true);
    expect((await task()).status).toBe('error');
  });

  it('[R3] [R6] keeps the log open when the task was leased again or waits for that', async () => {
    const { recorder, logs, id, become, task } = await setUp(makeLocation);
    await become('running');
    expect(await recorder.end(1, id, 'lost', 2, TEXTS)).toBe(false);
    await become('waiting');
    expect(await recorder.end(1, id, 'lost', 1, TEXTS)).toBe(false);
    expect((await logs.head(id)).closed).toBe(false);
    expect((await task()).status).toBe('waiting');
  });

  it('[R3] stores that a task ends without its runner before its log is closed', async () => {
    const { recorder, logs, id, become, task } = await setUp(makeLocation);
    await become('running');
    const closeLog = logs.closeLog.bind(logs);
    logs.closeLog = async (...log) => {
      expect(await task()).toMatchObject({ status: 'running', end_reason: 'runner.silent' });
      return await closeLog(...log);
    };
    const reason = { code: 'runner.silent', params: { runner: 'local' } } as const;
    expect(await recorder.end(1, id, 'lost', 1, TEXTS, reason)).toBe(true);
    expect(await task()).toMatchObject({
      status: 'error',
      end_reason: 'runner.silent',
      end_params: '{"runner":"local"}',
    });
    expect.assertions(3);
  });

  it('[R4] does not change after the end', async () => {
    const { recorder, id, become, task, changed } = await setUp(makeLocation);
    await become('running');
    await recorder.storeCommit(id, 1, 'abc', 'A change');
    await become('stopped');
    await recorder.storeCommit(id, 1, 'def', 'Too late');
    expect(await task()).toMatchObject({ status: 'stopped', commit_hash: 'abc', commit_message: 'A change' });
    expect(changed.map(({ commit_hash }) => commit_hash)).toEqual(['abc']);
  });
});
