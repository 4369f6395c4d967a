import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { test } from './worker-product.ts';

/** A step that fails on two hosts, each for the same reason with other values. */
const step = (kind: string, name: string, body: string) => `
    - name: ${name}
      ${body}
      when: kind == '${kind}'`;

const KINDS = ['file', 'variable', 'version', 'command', 'assert', 'python', 'search', 'refused'];

const FILES = {
  'ansible.cfg': '[defaults]\ncallbacks_enabled = ansible.posix.profile_tasks\n',
  'site.yml': `- name: Add hosts
  hosts: localhost
  gather_facts: false
  tasks:
    - ansible.builtin.add_host:
        name: "{{ item.0 }}-{{ item.1 }}"
        groups: more
        kind: "{{ item.0 }}"
        number: "{{ item.1 }}"
        ansible_host: 127.0.0.1
        ansible_port: 1
        ansible_connection: "{{ 'ssh' if item.0 == 'refused' else 'local' }}"
        ansible_python_interpreter: "{{ '/nowhere/python' ~ item.1 if item.0 == 'python' else ansible_playbook_python }}"
      loop: "{{ [${[...KINDS, 'rescued', 'ignored'].map((kind) => `'${kind}'`).join(', ')}] | product([1, 23]) | list }}"
- name: Check
  hosts: more
  gather_facts: false
  tasks:
    - name: Reach the host
      ansible.builtin.raw: "true"
${step('file', 'Copy', 'ansible.builtin.copy: {src: "app-{{ number }}.conf", dest: /tmp/x}')}
${step('variable', 'Show', 'ansible.builtin.debug: {msg: "{{ hostvars[inventory_hostname].missing }}"}')}
${step('version', 'Compare', 'ansible.builtin.fail: {msg: "Version {{ number }} of {{ inventory_hostname }} is too old"}')}
${step('command', 'Connect', 'ansible.builtin.shell: "echo 10.0.0.{{ number }}:5432 refuses the connection >&2; exit 2"')}
${step('assert', 'Count', 'ansible.builtin.assert: {that: "number | int > 100", fail_msg: "{{ number }} workers"}')}
${step('python', 'Ping', 'ansible.builtin.ping:')}
${step('search', 'Find', 'ansible.builtin.command: "ls /nowhere/{{ number }}"')}
${step('ignored', 'Ignore', 'ansible.builtin.fail: {msg: ignored}')}
      ignore_errors: true
    - name: Rescue
      when: kind == 'rescued'
      block:
        - ansible.builtin.fail: {msg: rescued}
      rescue:
        - ansible.builtin.debug: {msg: fine}
`,
};

test('a task with eight kinds of failures has eight clusters, each with the lines of its failures', async ({
  product,
}) => {
  test.setTimeout(180_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Failing', FILES);
  const template = await project.template('site.yml');
  await product.runnerReady(client);
  const { id } = await project.run(template);
  expect((await project.ended(id)).status).toBe('error');
  const params = { ...project.params, task_id: id };
  const found = await client.call('listFailureClusters', { params });
  const kindsOf = (hosts: readonly string[]) => [...new Set(hosts.map((host) => host.split('-')[0]))];
  expect(found.clusters.map(({ hosts, first_hosts }) => [hosts, ...kindsOf(first_hosts)]).toSorted()).toEqual(
    KINDS.map((kind) => [2, kind]).toSorted(),
  );
  const causes = found.clusters.flatMap(({ cause }) => cause ?? []).toSorted();
  expect(causes).toEqual(['connection_refused', 'python_missing', 'undefined_variable']);
  for (const { first, path, result } of found.clusters) {
    const query = { from: String(first.line), limit: '1' };
    const [line] = (await client.call('getTaskLines', { params, query })).lines;
    expect(line?.[1]).toContain(`fatal: [${first.host}]: ${result === 'failed' ? 'FAILED' : 'UNREACHABLE'}!`);
    expect(path).toMatch(/^site\.yml:\d+$/);
  }
  await expect
    .poll(async () => (await client.call('listFailures', { params: project.params })).failures.length)
    .toBe(KINDS.length);
});
