import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { scheduledProject } from '../testing/scheduled-project.ts';
import { signalbox } from '../testing/signalbox-process.ts';
import { composeScheduling } from './scheduling.ts';

const ROUNDS = 12;
const ENGINES = 4;
const SCHEDULES = 5;
const KILLED_SCHEDULES = 300;
const KILLS = 3;

describeEachDatabase('[R7] schedules on several servers', (makeLocation) => {
  it('start exactly one task per due time, whichever servers handle it', async () => {
    const location = await makeLocation();
    const { clock, server, client, create, tasks, sample } = await scheduledProject(
      location,
      '2026-11-21T10:00:30.000Z',
    );
    await server.schedules.stop();
    let launched = 0;
    const lost: unknown[] = [];
    const engines = Array.from({ length: ENGINES }, () => {
      // On PostgreSQL each server has connections of its own; a SQLite file has one connection for all.
      const database =
        location.databaseUrl === undefined ? server.storage.database : openDatabase({ url: location.databaseUrl });
      if (database !== server.storage.database) onTestFinished(() => database.close());
      return composeScheduling({
        environments: EVERY_ENVIRONMENT,
        database,
        clock,
        timezone: 'UTC',
        newestCommit: () => Promise.resolve(undefined),
        launched: () => void launched++,
        onError: (error) => lost.push(error),
      });
    });
    onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.stop()))));
    const build = await sample.template({ type: 'build', start_version: '1.0.0' });
    for (let n = 0; n < SCHEDULES; n++) await create({ cron_format: '* * * * *', template_id: build });
    for (const engine of engines) engine.start();
    await Promise.all(engines.map((engine) => engine.quiet()));
    for (let round = 1; round <= ROUNDS; round++) {
      clock.pass(60_000);
      await Promise.all(engines.map((engine) => engine.quiet()));
      expect(await tasks(build), `round ${round}`).toHaveLength(SCHEDULES * round);
    }
    expect(lost).toEqual([]);
    const versions = (await tasks(build)).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: SCHEDULES * ROUNDS }, (_, n) => `1.0.${n}`));
    const events = (await client.get(`${sample.base}/events`)).json<{ object_type: string }[]>();
    expect(events.filter(({ object_type }) => object_type === 'task')).toHaveLength(SCHEDULES * ROUNDS);
    expect(launched).toBe(SCHEDULES * ROUNDS);
  }, 60_000);

  it('start one task per due time or leave it unhandled when servers are killed meanwhile', async () => {
    const location = await makeLocation();
    const project = await scheduledProject(location, new Date().toISOString());
    for (let n = 0; n < KILLED_SCHEDULES; n++) await project.create({ cron_format: '@yearly', name: `Schedule ${n}` });
    const due = new Date().toISOString();
    await project.server.storage.database.autocommit.updateTable('schedule').set({ next_due: due }).execute();
    await project.stop();
    const database = openDatabase(
      location.databaseUrl === undefined ? { folder: location.folder } : { url: location.databaseUrl },
    );
    onTestFinished(() => database.close());
    const handled = async (): Promise<number> => {
      const rows = await database.read.selectFrom('schedule').select('next_due').where('next_due', '<>', due).execute();
      return rows.length;
    };
    let done = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const { child, printed: answers, ended } = signalbox(location, 'server');
      await answers('ready at');
      while ((await handled()) === done && done < KILLED_SCHEDULES) await new Promise(setImmediate);
      child.kill('SIGKILL');
      await ended;
      done = await handled();
      const tasks = await database.read.selectFrom('task').select('id').execute();
      const events = await database.read.selectFrom('event').select('id').where('object_type', '=', 'task').execute();
      expect([tasks.length, events.length], `after kill ${kill}`).toEqual([done, done]);
    }
    // Servers that had finished before they were killed would prove nothing.
    expect(done).toBeLessThan(KILLED_SCHEDULES);
  }, 120_000);
});
