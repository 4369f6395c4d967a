import type { BodyInput, RouteTable } from '@signalbox/contract';
import type { ApiClient } from '../../tooling/product/api-client.ts';
import { makeRepository } from '../../tooling/product/playbook-project.ts';
import type { Canaries } from './canaries.ts';
import { plantPassword, plantSshKey, playbooks } from './planting.ts';

const LOCAL = 'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"\n';

type KeyBody = BodyInput<RouteTable['createKey']>;
type TemplateBody = BodyInput<RouteTable['createTemplate']>;

/** A project with a canary in every secret field that it can have, and the templates that use them. */
export const plantProject = async (client: ApiClient, canaries: Canaries, gate: string, port: number) => {
  const project = await client.call('createProject', { body: { name: 'Canaries' } });
  const params = { project_id: project.id };
  const key = async (body: KeyBody) => (await client.call('createKey', { params, body })).id;
  const password = (name: string) =>
    key({ name, type: 'login_password', login_password: plantPassword(canaries, `key ${name}`) });
  const sshKey = (name: string) => key({ name, type: 'ssh', ssh: plantSshKey(canaries, `key ${name}`) });

  const vault = plantPassword(canaries, 'key Vault');
  const keys = {
    none: await key({ name: 'None', type: 'none' }),
    host: await password('Host'),
    become: await password('Become'),
    git: await password('Git'),
    ssh: await sshKey('Ssh'),
    vault: await key({ name: 'Vault', type: 'login_password', login_password: vault }),
  };
  // A secret that replaces another secret. Neither may appear.
  const replaced = await password('Replaced');
  await client.call('updateKey', {
    params: { ...params, key_id: replaced },
    body: { name: 'Renamed', override_secret: true, type: 'ssh', ssh: plantSshKey(canaries, 'key Replaced') },
  });

  const repository = async (name: string, git_url: string, ssh_key_id: number) =>
    (await client.call('createRepository', { params, body: { name, git_url, git_branch: 'main', ssh_key_id } })).id;
  // The token is the user name of the URL, because the server refuses a password in a URL.
  const inUrl = encodeURIComponent(canaries.plant('URL: user'));
  const repositories = {
    playbooks: await repository('Playbooks', makeRepository(playbooks(gate, vault.password)), keys.none),
    url: await repository('In its URL', `https://${inUrl}@127.0.0.1:${port}/x.git`, keys.none),
    password: await repository('By password', `https://127.0.0.1:${port}/x.git`, keys.git),
    ssh: await repository('By ssh', `ssh://127.0.0.1:${port}/x.git`, keys.ssh),
  };
  const inventory = async (name: string, ssh_key_id: number, become_key_id: number | null = null) =>
    (
      await client.call('createInventory', {
        params,
        body: { name, type: 'static', inventory: LOCAL, ssh_key_id, become_key_id },
      })
    ).id;
  const inventories = {
    password: await inventory('By password', keys.host, keys.become),
    ssh: await inventory('By ssh', keys.ssh),
  };
  const secrets = [
    { name: 'secret_variable', type: 'var', secret: canaries.plant('variable') },
    { name: 'SECRET_ENVIRONMENT', type: 'env', secret: canaries.plant('environment') },
    { name: 'replaced', type: 'var', secret: canaries.plant('replaced variable') },
  ] as const;
  const environment = await client.call('createEnvironment', {
    params,
    body: { name: 'Secret', secrets: [...secrets] },
  });
  await client.call('updateEnvironment', {
    params: { ...params, environment_id: environment.id },
    body: { secrets: [{ id: environment.secrets[2]?.id ?? 0, secret: canaries.plant('new variable') }] },
  });

  const template = async (name: string, playbook: string, values: Partial<TemplateBody> = {}) =>
    (
      await client.call('createTemplate', {
        params,
        body: {
          name,
          playbook,
          inventory_id: inventories.password,
          environment_id: environment.id,
          repository_id: repositories.playbooks,
          vault_key_id: keys.vault,
          ...values,
        },
      })
    ).id;
  const survey_vars = [{ name: 'secret_answer', type: 'secret', required: true }] as const;
  const asking = { allow_parallel_tasks: true, survey_vars: [...survey_vars] };
  const templates = {
    print: await template('Print', 'print.yml', asking),
    fail: await template('Fail', 'fail.yml', asking),
    break: await template('Break', 'break.yml', asking),
    stop: await template('Stop', 'print.yml', asking),
    ssh: await template('By ssh', 'hello.yml', { inventory_id: inventories.ssh }),
    url: await template('URL', 'hello.yml', { repository_id: repositories.url }),
    gitPassword: await template('Git password', 'hello.yml', { repository_id: repositories.password }),
    gitSsh: await template('Git ssh', 'hello.yml', { repository_id: repositories.ssh }),
  };
  const view = await client.call('createView', { params, body: { title: 'All' } });
  const schedule = await client.call('createSchedule', {
    params,
    body: {
      name: 'Yearly',
      cron_format: '@yearly',
      template_id: templates.print,
      launch_values: { environment: JSON.stringify({ secret_answer: canaries.plant('secret answer of a schedule') }) },
    },
  });
  const role = await client.call('createRole', { params, body: { name: 'Readers', rights: [] } });
  const systemRole = await client.call('createSystemRole', { body: { name: 'Stoppers', rights: ['stop_tasks'] } });
  const grant = await client.call('createGrant', {
    params,
    body: { template_id: templates.print, role: 'guest', rights: ['see'] },
  });
  const window = await client.call('createFreezeWindow', {
    params,
    body: {
      name: 'Next century',
      reason: 'Nothing',
      starts_at: '2126-01-01T00:00:00Z',
      ends_at: '2126-01-02T00:00:00Z',
    },
  });
  const launch = await client.call('createSavedLaunch', {
    params: { ...params, template_id: templates.print },
    body: { name: 'Saved', shared: true },
  });
  const filter = await client.call('createSavedFilter', { params, body: { name: 'Failed', shared: true } });
  const label = await client.call('createLabel', { params, body: { name: 'Secret', colour: 'teal' } });
  const bearer = canaries.plant('secret of a webhook');
  const webhook = await client.call('createWebhook', {
    params,
    // No call matches, so none starts a task.
    body: {
      name: 'Called',
      template_id: templates.print,
      launch_values: { environment: JSON.stringify({ secret_answer: canaries.plant('secret answer of a webhook') }) },
      sender_check: 'bearer',
      secret: bearer,
      matchers: [{ source: 'header', path: 'X-Never', method: 'exists' }],
    },
  });
  const called = await fetch(webhook.address, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (called.status !== 200) throw new Error(`The webhook answered ${called.status}.`);
  const [received] = await client.call('listWebhookCalls', { params: { ...params, webhook_id: webhook.id } });
  const receiver = await client.call('createAlertReceiver', {
    params,
    body: {
      name: 'Hook',
      kind: 'webhook',
      url: `http://127.0.0.1:9/${encodeURIComponent(canaries.plant('address of a receiver'))}`,
      secret: canaries.plant('secret of a receiver'),
    },
  });
  const feed = await client.call('createFeedLink', { params });
  const numbers = (of: Readonly<Record<string, number>>): number[] => Object.values(of);
  /** Every id and name in paths, by the name of the parameter. */
  const ids = {
    key_id: [...numbers(keys), replaced],
    repository_id: numbers(repositories),
    inventory_id: numbers(inventories),
    environment_id: [environment.id],
    template_id: numbers(templates),
    view_id: [view.id],
    schedule_id: [schedule.id],
    receiver_id: [receiver.id],
    label_id: [label.id],
    role_id: [role.id, systemRole.id],
    grant_id: [grant.id],
    freeze_window_id: [window.id],
    link_token: [feed.address.split('/').at(-1) ?? ''],
    launch_id: [launch.id],
    saved_filter_id: [filter.id],
    variable: ['secret_answer'],
    webhook_id: [webhook.id],
    call_id: [received?.id ?? 0],
  };
  /** The answers to the survey of the templates that have one. */
  const answers = JSON.stringify({ secret_answer: canaries.plant('secret answer') });
  const withSurvey = [templates.print, templates.fail, templates.break, templates.stop];
  return { params, templates, ids, answersOf: (id: number) => (withSurvey.includes(id) ? answers : '{}') };
};
