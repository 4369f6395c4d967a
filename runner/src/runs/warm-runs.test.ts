import { chmodSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
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

/** Runs tasks until two of them had the same address space, which only processes of a warm process have. */
const forkedRun = async (settings: Record<string, string>) => {
  await harness.startRunner(settings);
  await harness.server.message('hello');
  const seen = new Set<string>();
  for (let id = 1; id <= MANY; id += 1) {
    const run = harness.server.sendJob(harness.job(id));
    await harness.server.until(() => run.ended, 'the end', 60_000);
    const text = run.lines.join('\n');
    expect(run.ended?.result, text).toBe('success');
    const space = /space (\w+)/.exec(text)?.[1] ?? '';
    if (seen.has(space)) return run;
    seen.add(space);
  }
  return undefined;
};

it('starts the runs after the first ones with the warm process, with the same log and results', async () => {
  harness = await openHarness({ 'site.yml': PLAYBOOK, 'lookup_plugins/space.py': LOOKUP });
  const found = await forkedRun({});
  expect(found?.records.filter(({ kind }) => kind === 'host').length).toBeGreaterThan(0);
}, 120_000);

it('starts runs as the run user with the warm process', async () => {
  if (process.getuid?.() !== 0) return;
  harness = await openHarness({ 'site.yml': PLAYBOOK, 'lookup_plugins/space.py': LOOKUP });
  chmodSync(harness.folder, 0o711);
  expect(await forkedRun({ SIGNALBOX_RUN_AS: 'nobody' })).toBeDefined();
}, 120_000);

it('executes the program of each run if the setting is off', async () => {
  harness = await openHarness({ 'site.yml': PLAYBOOK, 'lookup_plugins/space.py': LOOKUP });
  expect(await forkedRun({ SIGNALBOX_WARM_START: '0' })).toBeUndefined();
}, 240_000);
