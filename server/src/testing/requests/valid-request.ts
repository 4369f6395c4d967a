import type { RouteName } from '@signalbox/contract';
import { createProof } from '../../features/address-proof/address-proof.store.ts';
import { giveFactor } from '../given-factor.ts';
import { addMember } from '../sample-project.ts';
import type { TestServer } from '../test-server.ts';
import { APPROVAL_REQUESTS } from './approval-requests.ts';
import { COMPARISON_REQUESTS } from './comparison-requests.ts';
import { FAILURE_REQUESTS } from './failure-requests.ts';
import { freezeWindow, newFreezeWindow } from './freeze-window-request.ts';
import { GRANT_REQUESTS } from './grant-requests.ts';
import { HOST_REQUESTS } from './host-requests.ts';
import { PUBLIC_LINK_REQUESTS } from './public-link-requests.ts';
import { type MakeRequest, made, newTask, type RequestDeps, type ValidRequest } from './request.ts';
import { ROLE_REQUESTS } from './role-requests.ts';
import { RUNNER_REQUESTS } from './runner-requests.ts';
import { SAVED_REQUESTS } from './saved-requests.ts';
import { SELECTED_REQUESTS } from './selected-requests.ts';
import { nothing, SYSTEM_REQUESTS } from './system-requests.ts';

/** Calls that need a runner. Servers of tests have none, so valid requests get 503. */
export const ASKS_RUNNER: readonly RouteName[] = [
  'listBranches',
  'listRepositoryFiles',
  'findPlaybooks',
  'listTaskCommits',
  'getTaskDiff',
  'testRepository',
  'testKey',
  'testNewKey',
  'getInventoryHosts',
];

const user = (name: string) => ({
  name,
  username: name,
  email: `${name.replaceAll(' ', '-')}@example.com`,
  password: 'a password',
});
const newUser = ({ admin }: RequestDeps, name: string): Promise<number> => made(admin, '/users', user(name));

const newMember = async (deps: RequestDeps, name: string): Promise<number> => {
  const user_id = await newUser(deps, name);
  await deps.admin.post(`${deps.sample.base}/users`, { user_id, role: 'guest' });
  return user_id;
};

const endedTask = async (deps: RequestDeps): Promise<number> => {
  const id = await newTask(deps);
  await deps.admin.post(`${deps.sample.base}/tasks/${id}/stop`, {});
  return id;
};

const KEY = (name: string) => ({ name, type: 'none' });
const REPOSITORY = ({ sample }: RequestDeps, name: string) => ({
  name,
  git_url: 'https://git.example/x.git',
  git_branch: 'main',
  ssh_key_id: sample.keyId,
});
const INVENTORY = ({ sample }: RequestDeps, name: string) => ({
  name,
  type: 'static',
  inventory: 'web-01',
  ssh_key_id: sample.keyId,
});
const TEMPLATE = ({ sample }: RequestDeps, name: string) => ({
  name,
  playbook: 'site.yml',
  inventory_id: sample.inventoryId,
  environment_id: sample.environmentId,
  repository_id: sample.repositoryId,
});

const key = async ({ admin, sample }: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { key_id: await made(admin, `${sample.base}/keys`, KEY(name)) },
});
const repository = async (deps: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { repository_id: await made(deps.admin, `${deps.sample.base}/repositories`, REPOSITORY(deps, name)) },
});
const inventory = async (deps: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { inventory_id: await made(deps.admin, `${deps.sample.base}/inventory`, INVENTORY(deps, name)) },
});
const environment = async ({ admin, sample }: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { environment_id: await made(admin, `${sample.base}/environment`, { name }) },
});
const view = async ({ admin, sample }: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { view_id: await made(admin, `${sample.base}/views`, { title: name }) },
});
const label = async ({ admin, sample }: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { label_id: await made(admin, `${sample.base}/labels`, { name }) },
});
const template = async ({ sample }: RequestDeps): Promise<ValidRequest> => ({
  params: { template_id: await sample.template() },
});
const SCHEDULE = async ({ sample }: RequestDeps, name: string) => ({
  ...{ name, cron_format: '@yearly', template_id: await sample.template() },
});
const schedule = async (deps: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { schedule_id: await made(deps.admin, `${deps.sample.base}/schedules`, await SCHEDULE(deps, name)) },
});
const WEBHOOK = async ({ sample }: RequestDeps, name: string) => ({
  ...{ name, template_id: await sample.template(), sender_check: 'none', active: false },
});
const newWebhook = async (deps: RequestDeps, name: string) => {
  const answer = await deps.admin.post(`${deps.sample.base}/webhooks`, await WEBHOOK(deps, name));
  const { id, address } = answer.json<{ id: number; address: string }>();
  return { webhook_id: id, webhook_token: address.split('/').at(-1) ?? '' };
};
const webhook = async (deps: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { webhook_id: (await newWebhook(deps, name)).webhook_id },
});
const webhookCall = async (deps: RequestDeps, name: string): Promise<ValidRequest> => {
  const { webhook_id, webhook_token } = await newWebhook(deps, name);
  await deps.admin.post(`/webhook/${webhook_token}`, {});
  const [call] = (await deps.admin.get(`${deps.sample.base}/webhooks/${webhook_id}/calls`)).json<{ id: number }[]>();
  return { params: { webhook_id, call_id: call?.id ?? 0 } };
};
const RECEIVER = (name: string) => ({ name, kind: 'slack', url: 'http://127.0.0.1:9/hook' });
const receiver = async ({ admin, sample }: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { receiver_id: await made(admin, `${sample.base}/alerts/receivers`, RECEIVER(name)) },
});
const task = async (deps: RequestDeps): Promise<ValidRequest> => ({ params: { task_id: await newTask(deps) } });
const member = async (deps: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { user_id: await newMember(deps, name) },
});
const someUser = async (deps: RequestDeps, name: string): Promise<ValidRequest> => ({
  params: { user_id: await newUser(deps, name) },
});

const RESULT = (host: string) => ({ kind: 'host', at: 1, line: 1, step: 1, host, result: 'ok', message: '' });

const renamed =
  (make: MakeRequest): MakeRequest =>
  async (deps, name) => ({ ...(await make(deps, name)), body: { name: `${name} again` } });

/** Fields that name the caller. The matrix fills them in at the end. */
const ofOneself =
  (body: (server: TestServer, username: string) => Promise<object>): MakeRequest =>
  async ({ server }, name) => {
    const who = name.split('-').at(-1) ?? '';
    if (who === 'anonymous')
      return { body: { password: 'a password', current_password: 'x', code: '123456', token: 'x' } };
    return { body: await body(server, who === 'admin' ? 'root' : who) };
  };
const passwordOf = (username: string): string => (username === 'root' ? 'a password' : `password of ${username}`);
const proof = async (server: TestServer, username: string): Promise<object> => ({
  current_password: passwordOf(username),
  code: (await giveFactor(server, username)).code(),
});

/** Sets whether the email address of a user is confirmed. */
const setProven = ({ storage: { database } }: TestServer, username: string, isProven: boolean) =>
  database.write((tx) =>
    tx
      .updateTable('users')
      .set({ email_proven: isProven ? 1 : 0 })
      .where('username', '=', username)
      .returning(['id', 'email'])
      .executeTakeFirstOrThrow(),
  );

/** Creates a valid request for each call. A missing call does not compile. */
export const VALID_REQUESTS: Readonly<Record<RouteName, MakeRequest>> = {
  ...SYSTEM_REQUESTS,
  signInOptions: nothing,
  signIn: async (deps, name) => {
    await newUser(deps, name);
    return { body: { auth: name, password: 'a password' } };
  },
  signOut: nothing,
  openApi: nothing,
  systemInfo: nothing,
  currentUser: nothing,
  enterSecondFactor: () => ({ body: { code: '123456' } }),
  getSecondFactor: nothing,
  beginSecondFactor: ofOneself((_server, username) => Promise.resolve({ current_password: passwordOf(username) })),
  confirmSecondFactor: ofOneself(async (server, username) => ({
    code: (await giveFactor(server, username, 'begun')).code(),
  })),
  renewRecoveryCodes: ofOneself(proof),
  turnOffSecondFactor: ofOneself(proof),
  resetSecondFactor: async (deps, name) => {
    const request = await someUser(deps, name);
    await giveFactor(deps.server, name);
    return request;
  },
  listTokens: nothing,
  createToken: () => ({ body: { name: 'for scripts' } }),
  // A token of a user other than the caller.
  deleteToken: async ({ server }, name) => ({
    params: { token_id: await made<string>(await addMember(server, `owner of ${name}`), '/user/tokens', { name }) },
  }),
  listAllTokens: nothing,
  revokeToken: async ({ server, admin }, name) => {
    await made<string>(await addMember(server, `owner of ${name}`), '/user/tokens', { name });
    const tokens = (await admin.get('/tokens')).json<{ name: string; number: number }[]>();
    return { params: { token_number: tokens.find((token) => token.name === name)?.number ?? 0 } };
  },
  createServiceAccount: (_deps, name) => ({ body: { name, username: name } }),
  createServiceToken: async ({ admin }, name) => ({
    params: { user_id: await made(admin, '/users/service', { name, username: name }) },
    body: { name: 'for a service' },
  }),
  testOwnAlert: ofOneself(async (server, username) => ({ of: (await setProven(server, username, true)).email })),
  requestAddressProof: ofOneself(async (server, username) => ({
    of: (await setProven(server, username, false)).email,
  })),
  confirmAddress: ofOneself(async (server, username) => {
    const { id: userId, email } = await setProven(server, username, false);
    const { database } = server.storage;
    return { token: await database.write((tx) => createProof(tx, { userId, email }, new Date())) };
  }),
  ...RUNNER_REQUESTS,
  listProjects: nothing,
  listAllEvents: nothing,
  listLastAllEvents: nothing,
  listUsers: nothing,
  getUser: someUser,
  createUser: (_deps, name) => ({ body: user(name) }),
  updateUser: renamed(someUser),
  deleteUser: someUser,
  changePassword: async (deps, name) => ({
    ...(await someUser(deps, name)),
    ...(await ofOneself((_server, username) =>
      Promise.resolve({ password: 'another password', current_password: passwordOf(username) }),
    )(deps, name)),
  }),
  createProject: (_deps, name) => ({ body: { name } }),

  getProject: nothing,
  getRole: nothing,
  ...ROLE_REQUESTS,
  ...GRANT_REQUESTS,
  listAccessOfMember: member,
  listEvents: nothing,
  listLastEvents: nothing,
  listProjectUsers: nothing,
  updateProject: (_deps, name) => ({ body: { name } }),
  // A project can be deleted only once, so the test creates one for each caller.
  deleteProject: nothing,
  addProjectUser: async (deps, name) => ({ body: { user_id: await newUser(deps, name), role: 'guest' } }),
  getProjectUser: member,
  updateProjectUser: async (deps, name) => ({ ...(await member(deps, name)), body: { role: 'manager' } }),
  removeProjectUser: member,
  leaveProject: nothing,

  listAlertReceivers: nothing,
  createAlertReceiver: (_deps, name) => ({ body: RECEIVER(name) }),
  getAlertReceiver: receiver,
  updateAlertReceiver: renamed(receiver),
  deleteAlertReceiver: receiver,
  testAlertReceiver: receiver,
  testAlertChat: nothing,
  listAlertDeliveries: nothing,

  listLabels: nothing,
  getLabel: label,
  createLabel: (_deps, name) => ({ body: { name } }),
  updateLabel: renamed(label),
  deleteLabel: label,

  listFreezeWindows: nothing,
  getFreezeWindow: freezeWindow,
  createFreezeWindow: newFreezeWindow,
  updateFreezeWindow: renamed(freezeWindow),
  deleteFreezeWindow: freezeWindow,

  listViews: nothing,
  getView: view,
  createView: (_deps, name) => ({ body: { title: name } }),
  updateView: async (deps, name) => ({ ...(await view(deps, name)), body: { title: `${name} again` } }),
  deleteView: view,
  placeViews: async (deps, name) => {
    const { params } = await view(deps, name);
    return { body: { [String(params?.view_id)]: 3 } };
  },

  listKeys: nothing,
  getKey: key,
  getKeyReferences: key,
  createKey: (_deps, name) => ({ body: KEY(name) }),
  updateKey: renamed(key),
  deleteKey: key,
  testKey: async (deps, name) => ({
    ...(await key(deps, name)),
    body: { repository_id: deps.sample.repositoryId },
  }),
  testNewKey: ({ sample }) => ({ body: { type: 'none', repository_id: sample.repositoryId } }),

  listRepositories: nothing,
  getRepository: repository,
  getRepositoryReferences: repository,
  createRepository: (deps, name) => ({ body: REPOSITORY(deps, name) }),
  updateRepository: renamed(repository),
  deleteRepository: repository,
  listBranches: repository,
  listRepositoryFiles: repository,
  findPlaybooks: repository,
  testRepository: ({ sample }) => ({ body: { git_url: 'https://git.example/x.git', ssh_key_id: sample.keyId } }),

  listInventory: nothing,
  getInventory: inventory,
  getInventoryReferences: inventory,
  getInventoryHosts: inventory,
  createInventory: (deps, name) => ({ body: INVENTORY(deps, name) }),
  updateInventory: renamed(inventory),
  deleteInventory: inventory,

  listEnvironments: nothing,
  getEnvironment: environment,
  getEnvironmentReferences: environment,
  createEnvironment: (_deps, name) => ({ body: { name } }),
  updateEnvironment: renamed(environment),
  deleteEnvironment: environment,

  listTemplates: nothing,
  listViewTemplates: view,
  getTemplate: template,
  getTemplateReferences: template,
  listChoices: async ({ sample }) => ({
    params: {
      template_id: await sample.template({
        survey_vars: [{ name: 'size', type: 'enum', values: [{ value: 'small' }] }],
      }),
      variable: 'size',
    },
  }),
  listTemplateTasks: template,
  listLastTemplateTasks: template,
  createTemplate: (deps, name) => ({ body: TEMPLATE(deps, name) }),
  updateTemplate: renamed(template),
  deleteTemplate: template,

  ...SAVED_REQUESTS,

  listAllSchedules: nothing,
  listSchedules: nothing,
  listScheduleOutcomes: nothing,
  getScheduleWeek: nothing,
  listTemplateSchedules: template,
  listTemplateHosts: template,
  getTemplateTimes: template,
  getSchedule: schedule,
  createSchedule: async (deps, name) => ({ body: await SCHEDULE(deps, name) }),
  validateSchedule: () => ({ body: { cron_format: '*/5 * * * *' } }),
  updateSchedule: renamed(schedule),
  deleteSchedule: schedule,

  ...SELECTED_REQUESTS,
  search: nothing,
  listActiveTasks: nothing,
  receiveWebhook: async (deps, name) => ({
    params: { webhook_token: (await newWebhook(deps, name)).webhook_token },
    body: {},
  }),
  listWebhooks: nothing,
  getWebhook: webhook,
  createWebhook: async (deps, name) => ({ body: await WEBHOOK(deps, name) }),
  testWebhook: () => ({ body: { matchers: [{ source: 'body', path: 'a', method: 'exists' }], body: '{}' } }),
  updateWebhook: renamed(webhook),
  deleteWebhook: webhook,
  renewWebhookAddress: webhook,
  listWebhookCalls: webhook,
  getWebhookCall: webhookCall,
  resendWebhookCall: webhookCall,

  listTasks: nothing,
  listLastTasks: nothing,
  listOutcomes: nothing,
  getTask: task,
  getTaskRecords: task,
  getTaskLines: task,
  searchTaskLines: task,
  getTaskStatistics: nothing,
  ...PUBLIC_LINK_REQUESTS,
  getTaskText: task,
  getTaskResults: task,
  getTaskSummary: task,
  listTaskSteps: task,
  listTaskHosts: task,
  getTaskTimeline: task,
  listTaskFailures: task,
  ...COMPARISON_REQUESTS,
  ...FAILURE_REQUESTS,
  listTaskHostResults: async (deps, name) => {
    const id = await newTask(deps);
    await deps.server.storage.logs.appendResults({ taskId: id, epoch: 1, first: 1, records: [RESULT(name)] });
    return { params: { task_id: id, host_number: 1 } };
  },
  ...HOST_REQUESTS,
  createTask: async ({ sample }) => ({ body: { template_id: await sample.template() } }),
  ...APPROVAL_REQUESTS,
  keepTask: async (deps) => ({ ...(await task(deps)), body: { kept: true } }),
  stopTask: async (deps) => ({ ...(await task(deps)), body: {} }),
  deleteTask: async (deps) => ({ params: { task_id: await endedTask(deps) } }),
};
