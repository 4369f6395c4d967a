import { execFileSync } from 'node:child_process';
import type { BodyInput, RouteTable } from '@signalbox/contract';
import { PlaybookProject } from '../../tooling/product/playbook-project.ts';
import type { Product } from '../../tooling/product/product.ts';

type Variable = NonNullable<BodyInput<RouteTable['createTemplate']>['survey_vars']>[number];

/** A secret answer, which nothing but the run may contain. */
export const CANARY = 'canary-of-a-matrix';
const VAULT_PASSWORD = 'open sesame';
const CHOICES = [{ value: 'a' }, { value: 'b' }];

/** A variable of each type. */
const VARIABLES: (Variable & { title: string })[] = [
  { name: 'text', title: 'Text', type: '', pattern: '[a-z]+' },
  { name: 'lines', title: 'Lines', type: 'multiline', max: 5 },
  { name: 'count', title: 'Count', type: 'int', min: 1, max: 9 },
  { name: 'share', title: 'Share', type: 'decimal' },
  { name: 'restart', title: 'Restart', type: 'bool' },
  { name: 'size', title: 'Size', type: 'enum', values: [...CHOICES, { value: 'c' }, { value: 'd' }, { value: 'e' }] },
  { name: 'zones', title: 'Zones', type: 'multiple', values: CHOICES, min: 2 },
  { name: 'day', title: 'Day', type: 'date' },
  { name: 'moment', title: 'Moment', type: 'datetime' },
  { name: 'token', title: 'Token', type: 'secret', min: 8 },
];

export const TITLES = VARIABLES.map(({ title }) => title);

/** The answers that each way of starting gives, without the secret one. */
export const ANSWERS = {
  text: 'abc',
  lines: 'a\nb',
  count: 5,
  share: 0.5,
  restart: true,
  size: 'a',
  zones: ['a', 'b'],
  day: '2026-12-24',
  moment: '2026-12-24T07:30',
};

export const OPTIONS = [
  ...['limit', 'tags', 'skip_tags', 'verbosity', 'forks', 'dry_run', 'diff', 'inventory_id', 'environment_id'],
  ...['git_branch', 'vaults', 'max_duration', 'runner_tags', 'priority'],
] as const;

/** Encrypted with the password for the vault `prod`. */
const VAULTED = `$ANSIBLE_VAULT;1.2;AES256;prod
38313066386433353133353465386462343663393636343831633361623035386237653866653334
3835623964323136313537343633303565353039373437300a653965363163613732343730386363
32653365323135356234663630303038346536323233393064376537376264333435653930316363
3430306563326334340a326234303962323336343438363637393264343932316166356233373836
64636432356336343562616638643961306332383235646638393431363138383266
`;

/** Prints the answers and what Ansible makes of the options, as JSON. */
const PLAYBOOK = `- hosts: all
  gather_facts: false
  vars_files: [vaulted.yml]
  tasks:
    - name: Print what arrived
      tags: [deploy]
      ansible.builtin.debug:
        msg: "ARRIVED{{ dict(names | zip(query('vars', *names))) | to_json }}"
      vars:
        names: [text, lines, count, share, restart, size, zones, day, moment, extra, vaulted, of_inventory, of_environment,
          has_token, ansible_limit, ansible_run_tags, ansible_skip_tags, ansible_verbosity, ansible_forks,
          ansible_check_mode, ansible_diff_mode]
        has_token: "{{ token == '${CANARY}' }}"
    - name: Print nothing
      tags: [slow]
      ansible.builtin.debug:
        msg: SKIPPED
`;

/** What the playbook prints of a run with every option. */
export const ARRIVED = {
  ...ANSWERS,
  extra: 'yes',
  vaulted: 'from the vault',
  of_inventory: 'other',
  of_environment: 'other',
  has_token: true,
  ansible_limit: 'localhost',
  ansible_run_tags: ['deploy'],
  ansible_skip_tags: ['slow'],
  ansible_verbosity: 2,
  ansible_forks: 7,
  ansible_check_mode: true,
  ansible_diff_mode: true,
};

export interface MatrixProject {
  readonly project: PlaybookProject;
  /** The commit of the branch `release` and the tag `v1`. */
  readonly commit: string;
  /** The options that each way of starting gives, as a task has them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A project with a template whose options may all be changed, and one that fixes all of them. */
export const matrixProject = async (product: Product): Promise<MatrixProject> => {
  const client = await product.client();
  await product.runnerReady(client);
  const [runner] = await client.call('listRunners');
  await client.call('updateRunner', { params: { runner_id: runner?.id ?? 0 }, body: { tags: ['frankfurt'] } });
  const files = { 'site.yml': PLAYBOOK, 'vaulted.yml': VAULTED };
  const project = await PlaybookProject.create(client, 'Matrix', files);
  const { params } = project;
  const [repository] = await client.call('listRepositories', { params });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: repository?.git_url ?? '',
      encoding: 'utf8',
    }).trim();
  git('checkout', '-q', '-b', 'release');
  git('commit', '-q', '--allow-empty', '-m', 'Release');
  git('tag', 'v1');
  git('checkout', '-q', 'main');
  const [none] = await client.call('listKeys', { params });
  const inventory = await client.call('createInventory', {
    params,
    body: {
      name: 'Other inventory',
      type: 'static',
      inventory:
        'localhost ansible_connection=local of_inventory=other ansible_python_interpreter="{{ ansible_playbook_python }}"\n',
      ssh_key_id: none?.id ?? 0,
    },
  });
  const environment = await client.call('createEnvironment', {
    params,
    body: { name: 'Other environment', json: '{"of_environment":"other"}' },
  });
  const key = async (name: string, password: string) =>
    await client.call('createKey', {
      params,
      body: { name, type: 'login_password', login_password: { login: '', password } },
    });
  const wrong = await key('Wrong vault', 'closed');
  const right = await key('Right vault', VAULT_PASSWORD);
  for (const prompt of ['any', 'fixed'] as const)
    await project.template('site.yml', {
      name: prompt === 'any' ? 'Open' : 'Fixed',
      survey_vars: VARIABLES.map((variable) => ({ ...variable, required: variable.type !== 'bool' })),
      vaults: [{ name: 'prod', vault_key_id: wrong.id }],
      prompts: Object.fromEntries(OPTIONS.map((name) => [name, prompt])),
      allow_override_args_in_task: prompt === 'any',
    });
  const values = {
    ...{ limit: 'localhost', tags: ['deploy'], skip_tags: ['slow'], verbosity: 2, forks: 7, dry_run: true, diff: true },
    ...{ inventory_id: inventory.id, environment_id: environment.id, git_branch: 'release', max_duration: 120 },
    ...{ vaults: [{ name: 'prod', vault_key_id: right.id }], runner_tags: ['frankfurt'], priority: 3 },
    ...{ arguments: '["-e","extra=yes"]' },
  };
  return { project, commit: git('rev-parse', 'release'), values };
};

/** What the playbook of a task printed. */
export const arrived = async (project: PlaybookProject, id: number): Promise<unknown> => {
  const line = (await project.log(id)).find((text) => text.includes('ARRIVED'));
  const printed = /"(ARRIVED.*)"/.exec(line ?? '')?.[1] ?? 'ARRIVED{}';
  return JSON.parse((JSON.parse(`"${printed}"`) as string).slice('ARRIVED'.length));
};
