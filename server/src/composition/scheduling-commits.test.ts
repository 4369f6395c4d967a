import type { QueryAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { POLL_MS } from '../features/schedules/schedule.engine.ts';
import { describeOneDatabase } from '../testing/database/databases.ts';
import { connectRunner } from '../testing/runners/scripted-runner.ts';
import { scheduledProject } from '../testing/scheduled-project.ts';

const MINUTE = 60_000;
const FIRST = 'a'.repeat(40);
const SECOND = 'b'.repeat(40);

describeOneDatabase('[R7] a schedule that waits for new commits', (makeLocation) => {
  const setUp = async (input: object = {}) => {
    const location = await makeLocation();
    const project = await scheduledProject(location, '2026-11-21T10:00:30.000Z');
    const { clock, server, sample } = project;
    const connect = async () => {
      const runner = await connectRunner(server, location.folder);
      runner.hello();
      await runner.receives('welcome');
      return runner;
    };
    const { id } = await project.create({ cron_format: '* * * * *', repository_id: sample.repositoryId, ...input });
    const stored = () =>
      server.storage.database.read.selectFrom('schedule').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return {
      ...project,
      id,
      connect,
      stored,
      /** Lets a minute pass and answers the query of the schedule. */
      passMinute: async (runner: Awaited<ReturnType<typeof connect>>, answer: QueryAnswer) => {
        // A round that a change of the schedule started would set its timer only after the minute, and so miss it.
        await server.schedules.quiet();
        clock.pass(MINUTE);
        const { query_id, query } = await runner.receives('query');
        runner.send({ type: 'answer', query_id, answer });
        await server.schedules.quiet();
        return query;
      },
    };
  };

  it('starts one task per new commit, beginning with the first one that it finds', async () => {
    const { connect, passMinute, tasks, stored, events, sample } = await setUp();
    const runner = await connect();
    const query = await passMinute(runner, { ask: 'newest_commit', commit: FIRST });
    expect(query).toMatchObject({
      ask: 'newest_commit',
      repository: { id: sample.repositoryId, url: 'https://git.example/playbooks.git', branch: 'main' },
    });
    expect(await tasks()).toHaveLength(1);
    await passMinute(runner, { ask: 'newest_commit', commit: FIRST });
    expect(await tasks()).toHaveLength(1);
    await passMinute(runner, { ask: 'newest_commit', commit: SECOND });
    await passMinute(runner, { ask: 'newest_commit', commit: SECOND });
    expect(await tasks()).toHaveLength(2);
    expect(await stored()).toMatchObject({ seen_commit: SECOND, last_due: '2026-11-21T10:04:00.000Z' });
    // No new commit is the normal case, so it is not recorded.
    expect(await events()).toEqual(['Schedule Nightly created']);
  });

  it('reports why a repository could not be read, and tries again at the next due time', async () => {
    const { connect, passMinute, tasks, events } = await setUp();
    const runner = await connect();
    await passMinute(runner, { ask: 'refused', error: 'The repository has no branch or tag named main.' });
    expect(await tasks()).toEqual([]);
    expect((await events()).at(-1)).toBe(
      'Schedule Nightly of Patch started no task at 2026-11-21 10:01 UTC: The repository has no branch or tag named main.',
    );
    await passMinute(runner, { ask: 'newest_commit', commit: FIRST });
    expect(await tasks()).toHaveLength(1);
  });

  it('waits a minute for a runner, then reports that none was connected', async () => {
    const { clock, server, tasks, events, stored, passMinutes } = await setUp({ cron_format: '*/10 * * * *' });
    await passMinutes(10);
    expect(await events()).toHaveLength(1);
    for (let second = 0; second < 60; second += 5) {
      clock.pass(5_000);
      await server.schedules.quiet();
    }
    expect((await events()).at(-1)).toBe(
      'Schedule Nightly of Patch started no task at 2026-11-21 10:10 UTC: no runner is connected that could check for a new commit.',
    );
    expect(await tasks()).toEqual([]);
    expect(await stored()).toMatchObject({ next_due: '2026-11-21T10:20:00.000Z', seen_commit: null });
    await passMinutes(5);
    expect(await events()).toHaveLength(2);
  });

  it('starts its task with a runner that connects within that minute', async () => {
    const { clock, server, tasks, connect, passMinutes } = await setUp({ cron_format: '*/10 * * * *' });
    await passMinutes(10);
    const runner = await connect();
    clock.pass(5_000);
    const { query_id } = await runner.receives('query');
    runner.send({ type: 'answer', query_id, answer: { ask: 'newest_commit', commit: FIRST } });
    await server.schedules.quiet();
    expect(await tasks()).toHaveLength(1);
  });

  it('blocks no other schedule and no transaction while a repository is slow', async () => {
    const { connect, clock, create, server, tasks, client, sample } = await setUp();
    const runner = await connect();
    const other = await sample.template({ name: 'Other' });
    await create({ cron_format: '* * * * *', template_id: other, name: 'Prompt' });
    clock.pass(MINUTE);
    const { query_id } = await runner.receives('query');
    for (let minute = 1; minute <= 2; minute++) {
      // Only the end of a round sets the timer of the next one.
      await server.schedules.idle();
      // The wall clock moves by a minute. The lease of the query depends on the monotonic clock.
      clock.step(MINUTE - POLL_MS);
      clock.pass(POLL_MS);
      while ((await tasks(other)).length < minute + 1) await new Promise(setImmediate);
    }
    expect((await client.post(`${sample.base}/views`, { title: 'Meanwhile' })).statusCode).toBe(201);
    expect(await tasks()).toEqual([]);
    const answer = { ask: 'newest_commit', commit: FIRST } as const;
    runner.send({ type: 'answer', query_id, answer });
    // One more check covers the two due times in between.
    const again = await runner.receives('query');
    runner.send({ type: 'answer', query_id: again.query_id, answer });
    await server.schedules.quiet();
    expect(await tasks()).toHaveLength(1);
  });

  it('ignores the answer to a query after the schedule was changed', async () => {
    const { connect, clock, server, tasks, client, sample, id, stored } = await setUp();
    const runner = await connect();
    clock.pass(MINUTE);
    const { query_id } = await runner.receives('query');
    const url = `/api${sample.base}/schedules/${id}`;
    expect((await client.send({ method: 'PUT', url, payload: { active: false } })).statusCode).toBe(204);
    runner.send({ type: 'answer', query_id, answer: { ask: 'newest_commit', commit: FIRST } });
    await server.schedules.quiet();
    expect(await tasks()).toEqual([]);
    expect(await stored()).toMatchObject({ seen_commit: null, next_due: null });
  });

  it('does not count a commit as seen if its task could not be started', async () => {
    const { connect, passMinute, tasks, stored, client, sample, templateId } = await setUp();
    const runner = await connect();
    const url = `/api${sample.base}/templates/${templateId}`;
    const ask = (required: boolean) =>
      client.send({ method: 'PUT', url, payload: { survey_vars: [{ name: 'host', required }] } });
    expect((await ask(true)).statusCode).toBe(204);
    await passMinute(runner, { ask: 'newest_commit', commit: FIRST });
    expect(await stored()).toMatchObject({ seen_commit: null });
    expect((await ask(false)).statusCode).toBe(204);
    await passMinute(runner, { ask: 'newest_commit', commit: FIRST });
    expect(await tasks()).toHaveLength(1);
  });

  it('starts from scratch with another repository', async () => {
    const { connect, passMinute, tasks, client, sample, id } = await setUp();
    const runner = await connect();
    await passMinute(runner, { ask: 'newest_commit', commit: FIRST });
    const made = await client.post(`${sample.base}/repositories`, {
      name: 'Fork',
      git_url: 'https://git.example/fork.git',
      git_branch: 'main',
      ssh_key_id: sample.keyId,
    });
    const url = `/api${sample.base}/schedules/${id}`;
    await client.send({ method: 'PUT', url, payload: { repository_id: made.json<{ id: number }>().id } });
    const query = await passMinute(runner, { ask: 'newest_commit', commit: FIRST });
    expect(query).toHaveProperty('repository.url', 'https://git.example/fork.git');
    expect(await tasks()).toHaveLength(2);
  });

  it('does not delay the shutdown of a server while a runner has not answered', async () => {
    const { connect, clock, server } = await setUp();
    const runner = await connect();
    clock.pass(MINUTE);
    await runner.receives('query');
    await server.schedules.stop();
  });
});
