import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { MAX_BLOCKED_MS, startMeasuring } from '../../../testing/blocked-loop.ts';
import { describeEachDatabase } from '../../../testing/database/databases.ts';
import { sampleProject } from '../../../testing/sample-project.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';

const HOSTS = 10_000;
const TEMPLATES = 4;

/** Every template has run on every host, and reported two groups and two facts. */
const fill = async ({ storage }: TestServer, projectId: number, templates: readonly number[]): Promise<void> => {
  const db = storage.database.autocommit;
  await sql`insert into host (project_id, host, runs)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(HOSTS)})
    select ${sql.lit(projectId)}, 'web-' || n, '[]' from numbers`.execute(db);
  for (const [at, template] of templates.entries()) {
    const id = sql.lit(template);
    await sql`insert into host_state (host_id, template_id, task_id, ended, outcome, groups_ended, facts_ended)
      select id, ${id}, 1, ${sql.lit(1_000 + at)}, 'ok', ${sql.lit(1_000 + at)}, ${sql.lit(1_000 + at)} from host`.execute(
      db,
    );
    await sql`insert into host_group (host_id, template_id, name) select id, ${id}, 'web' from host`.execute(db);
    await sql`insert into host_fact_value (host_id, template_id, fact, value, number)
      select id, ${id}, 'distribution', 'Debian', null from host`.execute(db);
    await sql`insert into host_fact_value (host_id, template_id, fact, value, number)
      select id, ${id}, 'memory', '2048', 2048 from host`.execute(db);
  }
};

describeEachDatabase('[S12] a list of 10,000 hosts', (makeLocation) => {
  it('blocks the main thread for at most 50 ms, whatever it is filtered and sorted by', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const templates: number[] = [];
    for (let at = 0; at < TEMPLATES; at += 1) templates.push(await sample.template());
    await fill(server, sample.projectId, templates);
    const measure = startMeasuring(server);
    const slow: string[] = [];
    for (const query of [
      'limit=50',
      'sort=trouble&order=desc&limit=50',
      'group=web&limit=50',
      'fact=distribution&fact_value=Debian&limit=50',
      'fact=memory&fact_operator=at_least&fact_value=1024&limit=50',
      'vanished=false&limit=50',
    ]) {
      const request = { method: 'GET', cookie: admin.cookie, head: '', part: 'x', tail: '', bytes: 0 };
      const { status, blockedMs, text } = await measure({ ...request, path: `/api${sample.base}/hosts?${query}` });
      expect(status, `${query}: ${text}`).toBe(200);
      expect(text, query).toContain(`"total":${HOSTS}`);
      if (blockedMs > MAX_BLOCKED_MS) slow.push(`${query}: ${blockedMs.toFixed(0)} ms`);
    }
    expect(slow).toEqual([]);
  });
});
