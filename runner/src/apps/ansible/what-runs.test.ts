import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutColours } from '../../output/plain-text.ts';
import { openHarness, play } from '../../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../../testing/runner-harness.testing.ts';
import type { AnsibleJob } from './ansible-job.ts';

let harness: RunnerHarness;
let next = 0;

beforeAll(async () => {
  harness = await openHarness({
    'ansible.cfg': '[defaults]\nroles_path = parts\nstdout_callback = default\n',
    'parts/show/tasks/main.yml': '- ansible.builtin.debug: {msg: "a role of ansible.cfg"}\n',
    'hosts/all.ini': '[web]\nfile1 ansible_connection=local\n',
    'hosts/group_vars/web.yml': 'source: next to the inventory\n',
    'stage/group_vars/web.yml': 'source: next to the link\n',
    'site.yml': `${play(
      '- ansible.builtin.debug:',
      "    msg: \"{{ inventory_hostname }} source={{ source | default('-') }} value={{ value | default('-') }} from={{ lookup('env', 'FROM') }} id={{ semaphore_vars.task_details.id }}\"",
      '- ansible.builtin.debug: {msg: "exact={{ value | to_json | b64encode }}"}',
      '  tags: [never, exact]',
      '  when: value is defined',
      '- ansible.builtin.copy: {dest: "{{ target }}", content: "new\\n"}',
      '  when: target is defined',
    )}  roles: [show]\n`,
  });
  symlinkSync('../hosts/all.ini', join(harness.repository, 'stage', 'linked.ini'));
  symlinkSync('../site.yml', join(harness.repository, 'stage', 'site.yml'));
  await harness.startRunner();
  await harness.server.message('hello');
});
afterAll(() => harness.close());

/** Encrypts variables for a vault with an id, and puts the file into the repository. */
const encryptVariables = (file: string, name: string, password: string, variables: string): void => {
  const path = join(harness.repository, file);
  const passwordFile = join(harness.data, `${name}.password`);
  writeFileSync(path, variables);
  writeFileSync(passwordFile, password);
  execFileSync('ansible-vault', ['encrypt', '--vault-id', `${name}@${passwordFile}`, path], { stdio: 'pipe' });
};

const inventory = (type: AnsibleJob['inventory']['type'], text: string): Partial<AnsibleJob> => ({
  inventory: { type, inventory: text, access: { type: 'none' }, become: null },
});
const end = async (change: Partial<AnsibleJob>) => {
  const run = harness.server.sendJob(harness.job(++next, { task_details: { id: next }, ...change }));
  await harness.server.until(() => run.ended, 'the end', 60_000);
  const text = run.lines.map(withoutColours).join('\n');
  expect(run.ended?.result, text).toBe('success');
  return text;
};

describe('a run', () => {
  it.each([
    ['static', '[web]\nini1 ansible_connection=local source="an INI text"\n', 'ini1 source=an INI text'],
    [
      'static-yaml',
      'all: {hosts: {yaml1: {ansible_connection: local, source: a YAML text}}}',
      'yaml1 source=a YAML text',
    ],
    ['file', 'hosts/all.ini', 'file1 source=next to the inventory'],
  ] as const)('has hosts of an inventory of the type %s', async (type, text, expected) => {
    const log = await end(inventory(type, text));
    expect(log).toContain(expected);
    expect(log).toContain('a role of ansible.cfg');
  });

  it('reads files next to a link to its inventory or playbook, as Ansible does', async () => {
    expect(await end(inventory('file', 'stage/linked.ini'))).toContain('file1 source=next to the link');
    const web = inventory('static', '[web]\nini1 ansible_connection=local\n');
    expect(await end({ ...web, playbook: 'stage/site.yml' })).toContain('ini1 source=next to the link');
  });

  it('has the variables of its environment, its process and its survey; survey answers take precedence', async () => {
    const process_environment = { FROM: 'the environment' };
    const one = await end({ extra_variables: { value: '{{ 1 + 1 }}', source: 'x' }, process_environment });
    expect(one).toContain('one source=x value=2 from=the environment id=');
    const both = await end({ extra_variables: { value: 'first' }, answers: { value: '{{ 1 + 1 }}' } });
    expect(both).toContain('value={{ 1 + 1 }} from= id=');
  });

  it.each([
    ['every character', { text: `"'\\ \t\r\n: # - {} é\u0000\u007f\u0085\u2028\ufeff🚦 {{ 1 + 1 }}` }],
    ['names that Ansible reads as tags', { a: { __ansible_vault: 'x' }, b: { __ansible_unsafe: { c: '{{ d }}' } } }],
    ['names of any kind', { 'a: b': 'x', '': 'y', ['n'.repeat(2000)]: 'z', '{{ 1 }}': '{{ 2 }}', '<<': { e: 'f' } }],
    ['numbers', { whole: 7, part: 0.5, huge: 1e21, tiny: 1e-9, none: null, yes: true, list: [[], {}, 'no', '1'] }],
  ])('passes a survey answer unchanged: %s', async (_, value) => {
    const shown = await end({ limit: 'one', answers: { value }, arguments: ['--tags', 'exact'] });
    expect(JSON.parse(Buffer.from(/exact=([\w+/=]+)/.exec(shown)?.[1] ?? '', 'base64').toString())).toEqual(value);
  });

  it('applies limit, check mode, diff and verbosity of the task', async () => {
    const target = join(harness.folder, 'target');
    writeFileSync(target, 'old\n');
    const tried = await end({ limit: 'two', dry_run: true, diff: true, extra_variables: { target } });
    expect(tried).toMatch(/^-old$/m);
    expect(tried).toMatch(/^\+new$/m);
    expect(tried).toContain('changed: [two]');
    expect(tried).not.toContain('[one]');
    expect(tried).toContain('Command: ansible-playbook --inventory=secrets/inventory');
    expect(tried).toContain('--check --diff --limit=two checkout/site.yml');
    expect(await end({ limit: 'one', arguments: ['--tags', 'never'] })).not.toContain('source=');
    const debug = await end({ limit: 'one', debug: true });
    expect(debug).toContain('config file = ');
    expect(debug).toMatch(/config file = .*checkout\/ansible\.cfg/);
    expect(existsSync(target)).toBe(true);
  });

  it('[S5][S6] opens each vault with the password of its id', async () => {
    encryptVariables('prod.yml', 'prod', 'password of prod', 'of_prod: opened prod\n');
    encryptVariables('shop.yml', 'shop', 'password of shop', 'of_shop: opened shop\n');
    writeFileSync(
      join(harness.repository, 'vaults.yml'),
      '- hosts: all\n  gather_facts: false\n  vars_files: [prod.yml, shop.yml]\n  tasks:\n' +
        '  - ansible.builtin.debug: {msg: "{{ of_prod }}, {{ of_shop }}"}\n',
    );
    const log = await end({
      ...inventory('static', 'one ansible_connection=local\n'),
      playbook: 'vaults.yml',
      vault_passwords: [
        { name: 'prod', password: 'password of prod' },
        { name: 'shop', password: 'password of shop' },
      ],
    });
    expect(log).toContain('opened prod, opened shop');
    expect(log).toContain('--vault-id=prod@secrets/vault-password-0');
    expect(log).not.toContain('password of');
  });
});
