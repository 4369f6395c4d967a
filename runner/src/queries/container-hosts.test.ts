import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JobSpec } from '@signalbox/contract/link';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callEngine } from '../environments/container/engine.ts';
import { requireContainers, type TestContainers } from '../testing/container/container-image.testing.ts';
import { openHarness } from '../testing/playbooks.testing.ts';
import { askRunner, queryWorkspacesOf, sendQuery } from '../testing/query.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

const GROWING = `- hosts: web1
  gather_facts: false
  tasks:
    - ansible.builtin.add_host: { name: stranger, ansible_connection: local }
- hosts: all
  gather_facts: false
  tasks: []
`;
const SLOW = `- hosts: "{{ lookup('ansible.builtin.pipe', 'touch begun; sleep 300') }}"\n`;

let containers: TestContainers;
let harness: RunnerHarness;

beforeEach(async () => {
  containers = await requireContainers();
  harness = await openHarness({ 'site.yml': GROWING, 'slow.yml': SLOW });
  await harness.startRunner({ ...containers.settings });
  await harness.server.message('hello');
});
afterEach(() => harness.close());

const job = (id: number, more: Parameters<RunnerHarness['job']>[1] = {}): JobSpec => {
  const inventory = ['web1', 'db1'].map((name) => `${name} ansible_connection=local\n`).join('');
  const { image } = containers;
  const limits = { registry_key_id: null, memory_mb: null, cpus: null, pids: null };
  return harness.job(id, {
    inventory: { type: 'static', inventory, access: { type: 'none' }, become: null },
    execution_environment: { kind: 'container', image, pull: 'never', network: 'none', ...limits },
    ...more,
  });
};

/** The containers of this machine that name this harness. */
const left = async (): Promise<string[]> => {
  const args = ['ps', '--all', '--format', '{{.Names}} {{.Mounts}}'];
  const { stdout } = await callEngine(containers.engine, args, { timeoutMs: 30_000 });
  return stdout.split('\n').filter((row) => row.includes(harness.folder));
};

describe('the hosts of a run in a container', () => {
  it('are listed by the Ansible of its image, and are the only ones that the run may target', async () => {
    const answer = await askRunner(harness, { ask: 'run_hosts', job: job(1) });
    expect(answer).toEqual({ ask: 'run_hosts', hosts: ['db1', 'web1'], secret_hosts: [], commit: null });
    expect(await left()).toEqual([]);
    const run = harness.server.sendJob(job(2, { locked_hosts: ['db1', 'web1'] }));
    await harness.server.until(() => run.ended, 'the end');
    expect(run.ended, run.lines.join('\n')).toMatchObject({
      result: 'error',
      end_reason: { code: 'hosts.not_locked', params: { host: 'stranger' } },
    });
  });

  it('leave no container and no file when the lease ends before the answer', async () => {
    sendQuery(harness, { ask: 'run_hosts', job: job(1, { playbook: 'slow.yml' }) }, 20_000);
    const begun = () =>
      queryWorkspacesOf(harness).some((name) => existsSync(join(harness.data, 'places', name, 'checkout', 'begun')));
    await harness.server.until(begun, 'the listing');
    expect(await left()).toHaveLength(1);
    await harness.server.until(() => queryWorkspacesOf(harness).length === 0, 'the end of the lease', 60_000);
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
  });
});
