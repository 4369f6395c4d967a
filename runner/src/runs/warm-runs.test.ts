import { chmodSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import type { StoredRun } from '../testing/link-server.testing.ts';
import { openHarness, play } from '../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

const PLAYBOOK = play('- ansible.builtin.debug:', '    msg: "space {{ lookup(\'space\') }}"', '  run_once: true');
const LOOKUP = `from ansible.plugins.lookup import LookupBase
class LookupModule(LookupBase):
    def run(self, terms, variables=None, **options):
        with open("/proc/self/auxv", "rb") as file:
            return [file.read().hex()]
`;

/** More runs than it takes until the warm process is ready. */
const MANY = 12;

const spaceOf = (run: StoredRun) => /space (\w+)/.exec(run.lines.join('\n'))?.[1] ?? '';

/** The log without what differs between two runs: the address space, the number of the task, and times. */
const logOf = (run: StoredRun) =>
  run.lines.map((line) =>
    line
      .replaceAll(spaceOf(run), 'SPACE')
      .replaceAll(`${run.job.task_id}-${run.job.epoch}`, 'TASK')
      .replace(/\d\d:\d\d:\d\d|\d+(\.\d+)? m?s\b/g, 'TIME'),
  );
const recordsOf = (run: StoredRun) => run.records.map((record) => ({ ...record, at: 'TIME' }));

/**
 * Runs tasks until two of them had the same address space, which only processes of a warm process have. Returns the first run,
 * which is started before there is a warm process, and the second of the two.
 */
const forkedRun = async (settings: Record<string, string>) => {
  await harness.startRunner(settings);
  await harness.server.message('hello');
  const seen = new Map<string, StoredRun>();
  for (let id = 1; id <= MANY; id += 1) {
    const run = harness.server.sendJob(harness.job(id));
    await harness.server.until(() => run.ended, 'the end', 60_000);
    expect(run.ended?.result, run.lines.join('\n')).toBe('success');
    const space = spaceOf(run);
    const [first] = seen.values();
    if (first && seen.has(space)) return { first, forked: run };
    seen.set(space, run);
  }
  return undefined;
};

it('starts the runs after the first ones with the warm process, with the same log and results', async () => {
  harness = await openHarness({ 'site.yml': PLAYBOOK, 'lookup_plugins/space.py': LOOKUP });
  const runs = await forkedRun({ SIGNALBOX_WARM_START: '1' });
  if (!runs) throw new Error('No run was forked.');
  const { first, forked } = runs;
  expect(spaceOf(first)).not.toBe(spaceOf(forked));
  expect(logOf(forked)).toEqual(logOf(first));
  expect(recordsOf(forked)).toEqual(recordsOf(first));
  expect(recordsOf(first).filter(({ kind }) => kind === 'host').length).toBeGreaterThan(0);
}, 120_000);

it('[S5] executes the program of each run if there is a run user', async () => {
  harness = await openHarness({ 'site.yml': PLAYBOOK, 'lookup_plugins/space.py': LOOKUP });
  chmodSync(harness.folder, 0o711);
  if (process.getuid?.() !== 0) {
    expect(await (await harness.startRunner({ SIGNALBOX_RUN_AS: 'nobody' })).exited).toBe(2);
    return;
  }
  expect(await forkedRun({ SIGNALBOX_WARM_START: '1', SIGNALBOX_RUN_AS: 'nobody' })).toBeUndefined();
}, 120_000);

it('executes the program of each run by default', async () => {
  harness = await openHarness({ 'site.yml': PLAYBOOK, 'lookup_plugins/space.py': LOOKUP });
  expect(await forkedRun({})).toBeUndefined();
}, 240_000);
