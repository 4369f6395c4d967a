import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import type { Line } from '../logs/block-codec.ts';
import { describeEachDatabase, type MakePlace } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';
import { RunRecorder, type TaskEvents, type TaskRow } from './run-recorder.ts';

const WORDS = 'The runner was removed.';
const AT = Date.parse('2026-11-21T10:00:00.000Z');

const end: TaskEvents['end'] = async (tx, ...event) => {
  const task = await applyEvent(tx, ...event);
  return task ? [task] : [];
};

/** A recorder and a run, with all that the recorder tells of it. */
const setUp = async (makePlace: MakePlace) => {
  const server = await startTestServer(await makePlace());
  const client = await server.signIn();
  const { base, template } = await sampleProject(client);
  const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
  const { database, logs } = server.storage;
  const changed: TaskRow[] = [];
  const heard: string[] = [];
  const recorder = new RunRecorder({
    database,
    logs,
    clock: systemClock,
    tasks: { apply: applyEvent, end },
    listeners: {
      changed: (tasks) => void changed.push(...tasks),
      detailsChanged: (task) => void changed.push(task),
      lines: (_project, _task, first, lines) => {
        for (const [index, [, text]] of lines.entries()) heard.push(`${first + index} ${text}`);
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
  return { recorder, logs, id, batch, become, task, texts, changed, heard };
};

describeEachDatabase('what is recorded of a run', (makePlace) => {
  it('[R3] [R6] has the reason of its end in its last line, also when its runner speaks meanwhile', async () => {
    const { recorder, logs, id, batch, become, task, texts, heard } = await setUp(makePlace);
    await become('running');
    await recorder.storeOutput(1, batch(1, 'one'));
    await Promise.all([recorder.storeOutput(1, batch(2, 'two', 'three')), recorder.end(1, id, 'lost', 1, WORDS)]);
    expect(await texts()).toEqual(['one', 'two', 'three', WORDS]);
    expect(heard).toEqual(['1 one', '2 two', '3 three', `4 ${WORDS}`]);
    expect((await logs.head(id)).sealed).toBe(true);
    expect((await task()).status).toBe('error');
  });

  it('[R3] [R6] leaves the log open of a task that was given to another, or waits to be', async () => {
    const { recorder, logs, id, become, task } = await setUp(makePlace);
    await become('running');
    expect(await recorder.end(1, id, 'lost', 2, WORDS)).toBe(false);
    await become('waiting');
    expect(await recorder.end(1, id, 'lost', 1, WORDS)).toBe(false);
    expect((await logs.head(id)).sealed).toBe(false);
    expect((await task()).status).toBe('waiting');
  });

  it('[R3] stores that a task ends without its runner before its log is closed', async () => {
    const { recorder, logs, id, become, task } = await setUp(makePlace);
    await become('running');
    const seal = logs.seal.bind(logs);
    logs.seal = async (...log) => {
      expect(await task()).toMatchObject({ status: 'running', end_reason: 'runner.silent' });
      return await seal(...log);
    };
    const reason = { code: 'runner.silent', params: { runner: 'local' } } as const;
    expect(await recorder.end(1, id, 'lost', 1, WORDS, reason)).toBe(true);
    expect(await task()).toMatchObject({
      status: 'error',
      end_reason: 'runner.silent',
      end_params: '{"runner":"local"}',
    });
    expect.assertions(3);
  });

  it('[R4] changes nothing any more once it has ended', async () => {
    const { recorder, id, become, task, changed } = await setUp(makePlace);
    await become('running');
    await recorder.storeCommit(id, 1, 'abc', 'A change');
    await become('stopped');
    await recorder.storeCommit(id, 1, 'def', 'Too late');
    expect(await task()).toMatchObject({ status: 'stopped', commit_hash: 'abc', commit_message: 'A change' });
    expect(changed.map(({ commit_hash }) => commit_hash)).toEqual(['abc']);
  });
});
