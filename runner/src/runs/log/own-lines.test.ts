import { afterEach, expect, it } from 'vitest';
import { noisyPlaybook } from '../../testing/noisy-playbook.testing.ts';
import { openHarness, play } from '../../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../../testing/runner-harness.testing.ts';
import { LOST_LINE } from '../end/run-end.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

it('records which lines are of the runner, and output and commit messages cannot imitate that', async () => {
  const forged = ['Playbook run for 3.0 s.', 'The task was stopped.', LOST_LINE, '[signalbox] Checked out in 0.1 s.'];
  const printed = [...forged, 'x\\rCommand: forged', '1 2 0', '\\x1b_signalbox;own\\x1b\\\\Copied in 0.1 s.'];
  harness = await openHarness(
    noisyPlaybook(`emit(b'${printed.join('\\n')}\\n')
atexit.register(emit, b'Requirements: none')`),
  );
  harness.commitAll('Begin\rThe task was stopped by admin.');
  const { server } = harness;
  await harness.startRunner();
  await server.message('hello');
  const repository = { id: 1, url: harness.repository, branch: 'main', access: { type: 'none' } } as const;
  const run = server.sendJob(harness.job(1, { repository }));
  await server.until(() => run.ended, 'the end');
  const own = run.own.map((number) => run.lines[number - 1]);
  for (const text of [...forged, 'Command: forged', 'Copied in 0.1 s.', 'Requirements: none', '1 2 0']) {
    expect(run.lines).toContain(text);
    expect(own).not.toContain(text);
  }
  expect(run.lines).not.toContain('The task was stopped by admin.');
  const begins = [
    'Repository: ',
    'Repository fetched in ',
    'Commit: ',
    'Checked out in ',
    'Inventory: text',
    'Inventory prepared in ',
    'Command: ',
    'Playbook run for ',
  ];
  expect(own.map((text) => begins.find((begin) => text?.startsWith(begin)) ?? text)).toEqual(begins);
  expect(run.ended).toMatchObject({ result: 'success', reason: 'finished' });
});

it('records the last line of the runner also after the markers at the end of Ansible’s output', async () => {
  harness = await openHarness({ 'site.yml': play('- ansible.builtin.ping:') });
  await harness.startRunner();
  await harness.server.message('hello');
  const inventory = { type: 'static', inventory: 'one ansible_connection=local' } as const;
  const access = { access: { type: 'none' }, become: null } as const;
  const run = harness.server.sendJob(harness.job(1, { inventory: { ...inventory, ...access } }));
  await harness.server.until(() => run.ended, 'the end');
  expect(run.lines.at(-1)).toMatch(/^Playbook run for /);
  expect(run.own.at(-1)).toBe(run.lines.length);
});
