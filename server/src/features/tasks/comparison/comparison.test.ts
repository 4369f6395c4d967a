import type { StepPair, TaskComparison } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../../testing/database/databases.ts';
import { sampleProject } from '../../../testing/sample-project.ts';
import { sampleRun } from '../../../testing/sample-results.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const shown = ({ name, earlier, later, differs }: StepPair): string =>
  `${earlier?.step ?? '-'} ${name} ${later?.step ?? '-'}${differs ? ' *' : ''}`;

describeOneDatabase('comparing two tasks', (makeLocation) => {
  it('answers the fields, answers, hosts and steps that differ, by default from the last success', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const own = await template({ allow_override_args_in_task: true });
    const start = async (template_id: number, given: object, run?: Parameters<typeof sampleRun>[0]) => {
      const { id } = (await admin.post(`${base}/tasks`, { template_id, ...given })).json<{ id: number }>();
      if (!run) return id;
      await server.storage.logs.appendResults({ taskId: id, epoch: 1, first: 1, records: sampleRun(run) });
      return id;
    };
    const end = async (id: number, status: 'success' | 'error') =>
      await server.storage.database.autocommit.updateTable('task').set({ status }).where('id', '=', id).execute();
    const compare = async (id: number, query = '') => await admin.get(`${base}/tasks/${id}/comparison${query}`);
    const good = await start(own, { environment: '{"release":"1.0","keep":true}' }, { hosts: 5, steps: 2 });
    expect((await compare(good)).json<TaskComparison>()).toMatchObject({ other: null, changed: [], hosts: null });
    await end(good, 'success');
    await end(await start(own, { environment: '{"release":"1.1"}', dry_run: true }), 'success');
    const bad = await start(
      own,
      { environment: '{"release":"1.1","keep":true}', arguments: '["--become"]' },
      { hosts: 7, steps: 3 },
    );
    await end(bad, 'error');
    const found = (await compare(bad)).json<TaskComparison>();
    expect(found).toMatchObject({
      other: { id: good },
      changed: ['arguments'],
      answers: [{ name: 'release', earlier: '"1.0"', later: '"1.1"' }],
      hosts: { added: ['web-5', 'web-6'], added_count: 2, removed: [], removed_count: 0, same_count: 5 },
      total: 3,
      different: 1,
    });
    expect(found.steps.map(shown)).toEqual(['1 Step 1 1', '2 Step 2 2', '- Step 3 3 *']);
    expect((await compare(bad, '?different=true')).json<TaskComparison>().steps.map(shown)).toEqual(['- Step 3 3 *']);
    expect((await compare(bad, '?from=2&limit=1')).json<TaskComparison>().steps.map(shown)).toEqual(['2 Step 2 2']);
    // The earlier task stays on the left, whichever one is asked for.
    const swapped = (await compare(good, `?with=${bad}`)).json<TaskComparison>();
    expect(swapped).toMatchObject({ other: { id: bad }, answers: found.answers, hosts: found.hosts });
    const foreign = await start(await template(), {});
    for (const id of [foreign, 999_999]) expect((await compare(bad, `?with=${id}`)).statusCode).toBe(404);
  });
});
