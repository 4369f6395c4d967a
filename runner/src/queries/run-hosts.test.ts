import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHarness } from '../testing/playbooks.testing.ts';
import { askRunner, queryWorkspacesOf } from '../testing/query.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

const INVENTORY = ['web1', 'web2', 'db1'].map((name) => `${name} ansible_connection=local\n`).join('');

describe('the hosts of a run', () => {
  let harness: RunnerHarness;
  let next = 100;

  beforeAll(async () => {
    harness = await openHarness({
      'two.yml': '- hosts: "{{ first }}"\n  gather_facts: false\n- hosts: db1\n  gather_facts: false\n',
      'grow.yml': `- hosts: web1
  gather_facts: false
  tasks:
    - ansible.builtin.add_host: { name: stranger, ansible_connection: local }
- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.command: touch {{ touched }}
`,
      'delegate.yml': `- hosts: web1
  gather_facts: false
  tasks:
    - ansible.builtin.command: touch {{ touched }}-{{ item }}
      delegate_to: "{{ item }}"
      loop: [localhost, web1, db1, "{{ last }}"]
`,
      'broken.yml': '- hosts: all\n  roles: [absent]\n',
    });
    await harness.startRunner();
    await harness.server.until(() => harness.server.messages.some(({ type }) => type === 'hello'), 'a runner');
  });
  afterAll(() => harness.close());

  const job = (change: Parameters<RunnerHarness['job']>[1]) =>
    harness.job(next++, {
      inventory: { type: 'static', inventory: INVENTORY, access: { type: 'none' }, become: null },
      ...change,
    });

  it('are those of all plays, with the answers, the limit and the commit of the run', async () => {
    const first = job({ playbook: 'two.yml', answers: { first: 'web1' } });
    expect(await askRunner(harness, { ask: 'run_hosts', job: first })).toEqual({
      ask: 'run_hosts',
      hosts: ['db1', 'web1'],
      secret_hosts: [],
      commit: null,
    });
    const limited = job({ playbook: 'two.yml', answers: { first: 'web*' }, limit: 'web2' });
    expect(await askRunner(harness, { ask: 'run_hosts', job: limited })).toMatchObject({ hosts: ['web2'] });
    expect(queryWorkspacesOf(harness)).toEqual([]);
  });

  it('[S6] name those that contain a secret of the run, which the run may target', async () => {
    const secret = { playbook: 'two.yml', secret_variables: { first: 'web1' } };
    expect(await askRunner(harness, { ask: 'run_hosts', job: job(secret) })).toMatchObject({
      hosts: ['db1', 'web1'],
      secret_hosts: ['web1'],
    });
    const run = harness.server.sendJob(job({ ...secret, locked_hosts: ['db1', 'web1'] }));
    expect(await harness.server.until(() => run.ended, 'the end')).toMatchObject({ result: 'success' });
  });

  it('cannot be listed for a playbook that is not valid', async () => {
    const answer = await askRunner(harness, { ask: 'run_hosts', job: job({ playbook: 'broken.yml' }) });
    expect(answer).toMatchObject({ ask: 'refused', error: expect.stringContaining('absent') });
  });

  it('are the only ones that a run with locked hosts may target', async () => {
    const touched = `${harness.folder}/touched`;
    const locked = { playbook: 'grow.yml', answers: { touched }, locked_hosts: ['web1', 'web2', 'db1'] };
    const run = harness.server.sendJob(job(locked));
    expect(await harness.server.until(() => run.ended, 'the end')).toMatchObject({
      result: 'error',
      end_reason: { code: 'hosts.not_locked', params: { host: 'stranger' } },
    });
    expect(existsSync(touched)).toBe(false);
    const whole = harness.server.sendJob(job({ ...locked, locked_hosts: [...locked.locked_hosts, 'stranger'] }));
    expect(await harness.server.until(() => whole.ended, 'the end')).toMatchObject({ result: 'success' });
  });

  it('and this machine are the only ones to which a step of such a run may be delegated', async () => {
    const touched = `${harness.folder}/delegated`;
    const delegating = { playbook: 'delegate.yml', answers: { touched, last: 'web2' }, locked_hosts: ['web1', 'db1'] };
    const run = harness.server.sendJob(job(delegating));
    expect(await harness.server.until(() => run.ended, 'the end')).toMatchObject({ result: 'error' });
    expect(run.lines.join('\n')).toContain('The step is delegated to web2, which this task has not locked.');
    const done = (host: string) => existsSync(`${touched}-${host}`);
    expect(['localhost', 'web1', 'db1', 'web2'].map(done)).toEqual([true, true, true, false]);
    const free = harness.server.sendJob(job({ ...delegating, locked_hosts: null }));
    expect(await harness.server.until(() => free.ended, 'the end')).toMatchObject({ result: 'success' });
    expect(done('web2')).toBe(true);
  });
});
