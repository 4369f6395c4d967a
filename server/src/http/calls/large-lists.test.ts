import { NewSurveyVariable } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { encryptKeySecret } from '../../secrets/key-secret.ts';
import { MAX_BLOCKED_MS, startMeasuring } from '../../testing/blocked-loop.ts';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { etagOf } from '../objects/etag.ts';

const KIBI = 1024;
const TEXT = 2 * KIBI * KIBI;
const OBJECT = 256 * KIBI;

/** Characters that take different times to read, escape and send. */
const LETTERS = ['x', '漢', '\u0001', '"'];
const filled = (length: number, row: number): string => (LETTERS[row % LETTERS.length] ?? '').repeat(length);
/**
 * SQLite's binding needs most of the 50 ms for one text of three-byte characters, so such texts have half the maximum
 * length.
 */
const hosts = (row: number): string => filled(LETTERS[row % LETTERS.length] === '漢' ? TEXT / 2 : TEXT, row);
/** JSON of an object with one long text, which is not escaped twice. */
const object = (row: number): string => JSON.stringify({ a: filled(OBJECT, row % 2) });

const rows = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const fillProject = async ({ storage }: TestServer, sample: Awaited<ReturnType<typeof sampleProject>>) => {
  const { projectId: project_id, keyId, repositoryId, inventoryId, environmentId } = sample;
  const db = storage.database.autocommit;
  const created = new Date().toISOString();
  for (const row of rows(8))
    await db
      .insertInto('inventory')
      .values({ project_id, name: `i${row}`, type: 'static', inventory: hosts(row), ssh_key_id: keyId })
      .execute();
  for (const row of rows(24))
    await db
      .insertInto('environment')
      .values({ project_id, name: `e${row}`, json: object(row), env: object(row) })
      .execute();
  const ssh = { type: 'ssh', login: 'deploy', private_key: 'x'.repeat(64 * KIBI), passphrase: '' } as const;
  for (const row of rows(1000)) {
    const key = { project_id, name: `k${row}`, type: 'ssh', secret: '' } as const;
    const { id } = await db.insertInto('access_key').values(key).returning('id').executeTakeFirstOrThrow();
    const secret = encryptKeySecret(storage.master, id, ssh);
    await db.updateTable('access_key').set({ secret }).where('id', '=', id).execute();
  }
  const survey = (row: number) =>
    JSON.stringify(
      rows(200).map((number) =>
        NewSurveyVariable.parse({ name: `v${number}`, title: 'x', description: filled(KIBI, row % 2) }),
      ),
    );
  for (const row of rows(24))
    await db
      .insertInto('template')
      .values({
        project_id,
        name: `t${row}`,
        description: filled(4 * KIBI, row),
        type: '',
        playbook: 'site.yml',
        arguments: '[]',
        survey_vars: survey(row),
        inventory_id: inventoryId,
        environment_id: environmentId,
        repository_id: repositoryId,
        vault_key_id: null,
        view_id: null,
        build_template_id: null,
        autorun: 0,
        suppress_success_alerts: 0,
        allow_override_args_in_task: 0,
        allow_parallel_tasks: 0,
        start_version: null,
        max_duration: 0,
        keep_tasks_days: null,
        keep_logs_days: null,
        keep_tasks_min: null,
      })
      .execute();
  const { id: template_id } = await db.selectFrom('template').select('id').orderBy('id').executeTakeFirstOrThrow();
  for (const row of rows(40))
    await db
      .insertInto('task')
      .values({
        project_id,
        template_id,
        user_id: null,
        status: 'success',
        message: '',
        version: null,
        tpl_type: '',
        tpl_alias: 't',
        tpl_playbook: 'site.yml',
        build_task_id: null,
        arguments: '[]',
        environment: object(row),
        limit_hosts: '',
        debug: 0,
        dry_run: 0,
        diff: 0,
        created,
      })
      .execute();
  const task = await db.selectFrom('task').select('id').orderBy('id').executeTakeFirstOrThrow();
  for (const batch of rows(5)) {
    const lines = rows(1000).map(() => [0, '\u001b'.repeat(KIBI)] as [number, string]);
    const first = batch * lines.length + 1;
    await storage.logs.appendOutput({ taskId: task.id, epoch: 1, first, lines, offset: first });
  }
  return { templateId: template_id, taskId: task.id };
};

describeEachDatabase('[S12] a list of the largest possible rows', (makeLocation) => {
  it('blocks the main thread for at most 50 ms, and is complete and has an ETag', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const { templateId, taskId } = await fillProject(server, sample);
    const measure = startMeasuring(server);
    const slow: string[] = [];
    for (const path of [
      'inventory',
      'inventory?sort=type&order=desc',
      `inventory/${sample.inventoryId + 3}`,
      'environment',
      'environment?sort=variables',
      'keys',
      'keys?sort=login',
      'templates',
      `templates/${templateId}/tasks`,
      'tasks',
      'tasks/last',
      `tasks/${taskId}/lines?limit=5000`,
      `tasks/${taskId}/raw_output`,
    ]) {
      const request = { method: 'GET', cookie: admin.cookie, head: '', part: 'x', tail: '', bytes: 0 };
      const { status, blockedMs, text } = await measure({ ...request, path: `/api${sample.base}/${path}` });
      expect(status, `${path}: ${text}`).toBe(200);
      if (blockedMs > MAX_BLOCKED_MS) slow.push(`${path}: ${blockedMs.toFixed(0)} ms`);
    }
    expect(slow).toEqual([]);

    const page = await fetch(`${server.baseUrl}/api${sample.base}/tasks/${taskId}/lines?from=1&limit=5000`, {
      headers: { cookie: admin.cookie },
    });
    const { lines, ...head } = (await page.json()) as { readonly lines: unknown[] };
    expect(head).toMatchObject({ first: 1, total: 5000 });
    expect(lines.length).toBeGreaterThan(4000);
    expect(lines.every((line) => JSON.stringify(line) === JSON.stringify([0, '\u001b'.repeat(KIBI)]))).toBe(true);

    const one = `/api${sample.base}/inventory/${sample.inventoryId + 3}`;
    const known = await fetch(server.baseUrl + one, { headers: { cookie: admin.cookie } });
    const ifMatch = known.headers.get('etag') ?? '';
    const body = { method: 'PUT', cookie: admin.cookie, part: ' ', bytes: 0 };
    const change = await measure({ ...body, path: one, head: '{"name":"i2"', tail: '}', ifMatch });
    expect(change.status, change.text).toBe(204);
    expect(change.blockedMs).toBeLessThan(MAX_BLOCKED_MS);

    const url = `${server.baseUrl}/api${sample.base}/inventory`;
    const answer = await fetch(url, { headers: { cookie: admin.cookie } });
    const text = await answer.text();
    const stored = JSON.parse(text) as { readonly inventory: string }[];
    expect(stored.map(({ inventory }) => inventory.length)).toEqual([6, ...rows(8).map((row) => hosts(row).length)]);
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toBe(etagOf(text));
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    const again = await fetch(url, { headers: { cookie: admin.cookie, 'if-none-match': etag } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    const asked = await fetch(url, { method: 'HEAD', headers: { cookie: admin.cookie } });
    expect([asked.status, asked.headers.get('etag'), asked.headers.get('content-length')]).toEqual([
      200,
      etag,
      String(Buffer.byteLength(text)),
    ]);
  });
});
