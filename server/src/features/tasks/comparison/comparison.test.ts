import type { StepPair, TaskComparison } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from '../../../testing/database/databases.ts';
import { sampleProject } from '../../../testing/sample-project.ts';
import { sampleRun } from '../../../testing/sample-results.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { alignSteps, type NamedStep } from './aligned-steps.ts';

const NONE = { ok: 0, changed: 0, failed: 0, ignored: 0, skipped: 0, unreachable: 0, rescued: 0 };

/** Steps with these names; a name that ends with ! failed. */
const steps = (...names: string[]): NamedStep[] =>
  names.map((given, position) => ({
    step: position + 1,
    play: 1,
    playName: 'Play',
    name: given.replace('!', ''),
    action: 'command',
    handler: false,
    line: position * 10,
    at: position * 1000,
    end: (position + 1) * 1000,
    counts: given.endsWith('!') ? { ...NONE, failed: 1 } : { ...NONE, ok: 2 },
  }));

const shown = ({ name, earlier, later, differs }: StepPair): string =>
  `${earlier?.step ?? '-'} ${name} ${later?.step ?? '-'}${differs ? ' *' : ''}`;

describe('aligning the steps of two runs', () => {
  it('shows the same steps side by side, and steps of one run in their order', () => {
    const pairs = alignSteps(steps('a', 'b', 'c', 'e'), steps('a', 'c', 'd', 'e'));
    expect(pairs.map(shown)).toEqual(['1 a 1', '2 b - *', '3 c 2', '- d 3 *', '4 e 4']);
  });

  it('keeps the order if a step was moved', () => {
    expect(alignSteps(steps('a', 'b', 'c'), steps('b', 'c', 'a')).map(shown)).toEqual([
      '1 a - *',
      '2 b 1',
      '3 c 2',
      '- a 3 *',
    ]);
  });

  it('pairs steps of the same name in their order', () => {
    expect(alignSteps(steps('a', 'a'), steps('a', 'a', 'a')).map(shown)).toEqual(['1 a 1', '2 a 2', '- a 3 *']);
  });

  it('differs where hosts had other kinds of results', () => {
    expect(alignSteps(steps('a', 'b'), steps('a', 'b!')).map(shown)).toEqual(['1 a 1', '2 b 2 *']);
  });

  it('aligns two long runs with steps in opposite order', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `step ${at}`);
    const pairs = alignSteps(steps(...names), steps(...names.toReversed()));
    expect([pairs.length, pairs.filter(({ differs }) => !differs).length]).toEqual([9999, 1]);
  });
});

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
