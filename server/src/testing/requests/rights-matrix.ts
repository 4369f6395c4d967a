import type { RoleRight, RouteName } from '@signalbox/contract';

export const PRINCIPALS = ['anonymous', 'outsider', 'guest', 'task_runner', 'manager', 'owner', 'admin'] as const;
export type Principal = (typeof PRINCIPALS)[number];

/** One letter for each principal, in their order: `+` allowed, `-` 401, `x` 403, `0` 404, `9` 409. */
export type Row = string;

const EVERYBODY: Row = '+++++++';
/** Needs a sign-in that waits for a code, so a session is useless. */
const BEGUN_ONLY: Row = '-------';
const SIGNED_IN: Row = '-++++++';
const OWN_ONLY: Row = '-000000';
const ADMIN: Row = '-xxxxx+';
const READ: Row = '-0+++++';
const RUN: Row = '-0x++++';
const RESOURCES: Row = '-0xx+++';
const OWNER: Row = '-0xxx++';

/**
 * The allowed callers of each call, for an object of their own project. Independent of the route table, so that a
 * wrong permission there is found. A missing call does not compile.
 */
export const RIGHTS: Readonly<Record<RouteName, Row>> = {
  ping: EVERYBODY,
  ready: EVERYBODY,
  metrics: ADMIN,
  getSystem: ADMIN,
  getQueue: ADMIN,
  signInOptions: EVERYBODY,
  signIn: EVERYBODY,
  signOut: EVERYBODY,
  enterSecondFactor: BEGUN_ONLY,
  openApi: EVERYBODY,

  systemInfo: SIGNED_IN,
  currentUser: SIGNED_IN,
  getSecondFactor: SIGNED_IN,
  beginSecondFactor: SIGNED_IN,
  confirmSecondFactor: SIGNED_IN,
  renewRecoveryCodes: SIGNED_IN,
  turnOffSecondFactor: SIGNED_IN,
  resetSecondFactor: ADMIN,
  listTokens: SIGNED_IN,
  createToken: SIGNED_IN,
  deleteToken: OWN_ONLY,
  listAllTokens: ADMIN,
  revokeToken: ADMIN,
  createServiceAccount: ADMIN,
  createServiceToken: ADMIN,
  listProjects: SIGNED_IN,
  listAllEvents: SIGNED_IN,
  listLastAllEvents: SIGNED_IN,
  listUsers: SIGNED_IN,
  getUser: SIGNED_IN,
  createUser: ADMIN,
  updateUser: ADMIN,
  deleteUser: ADMIN,
  changePassword: ADMIN,
  createProject: ADMIN,
  testOwnAlert: SIGNED_IN,
  requestAddressProof: SIGNED_IN,
  confirmAddress: SIGNED_IN,
  listRunners: ADMIN,
  createRunner: ADMIN,
  updateRunner: ADMIN,
  getRunner: ADMIN,
  drainRunner: ADMIN,
  deleteRunner: ADMIN,
  listRunnerRegistrations: ADMIN,
  createRunnerRegistration: ADMIN,
  revokeRunnerRegistration: ADMIN,
  registerRunner: EVERYBODY,
  rotateRunnerToken: ADMIN,

  getProject: READ,
  getRole: READ,
  listRoles: READ,
  listGrants: OWNER,
  createGrant: OWNER,
  getGrant: OWNER,
  updateGrant: OWNER,
  deleteGrant: OWNER,
  listAccessToTemplate: OWNER,
  listAccessOfMember: OWNER,
  createRole: OWNER,
  getCustomRole: READ,
  updateRole: OWNER,
  deleteRole: OWNER,
  listSystemRoles: ADMIN,
  createSystemRole: ADMIN,
  getSystemRole: ADMIN,
  updateSystemRole: ADMIN,
  deleteSystemRole: ADMIN,
  listEvents: READ,
  listLastEvents: READ,
  listProjectUsers: READ,
  updateProject: OWNER,
  deleteProject: OWNER,
  addProjectUser: OWNER,
  getProjectUser: OWNER,
  updateProjectUser: OWNER,
  removeProjectUser: OWNER,
  leaveProject: '-0+++9+',
  listAlertReceivers: OWNER,
  createAlertReceiver: OWNER,
  getAlertReceiver: OWNER,
  updateAlertReceiver: OWNER,
  deleteAlertReceiver: OWNER,
  testAlertReceiver: OWNER,
  testAlertChat: OWNER,
  listAlertDeliveries: OWNER,

  listViews: READ,
  getView: READ,
  createView: RESOURCES,
  updateView: RESOURCES,
  deleteView: RESOURCES,
  placeViews: RESOURCES,

  listLabels: READ,
  getLabel: READ,
  createLabel: RESOURCES,
  updateLabel: RESOURCES,
  deleteLabel: RESOURCES,

  listFreezeWindows: READ,
  getFreezeWindow: READ,
  createFreezeWindow: RESOURCES,
  updateFreezeWindow: RESOURCES,
  deleteFreezeWindow: RESOURCES,

  listKeys: READ,
  getKey: READ,
  getKeyReferences: READ,
  createKey: RESOURCES,
  updateKey: RESOURCES,
  deleteKey: RESOURCES,
  testKey: RESOURCES,
  testNewKey: RESOURCES,

  listRepositories: READ,
  getRepository: READ,
  getRepositoryReferences: READ,
  createRepository: RESOURCES,
  updateRepository: RESOURCES,
  deleteRepository: RESOURCES,
  listBranches: RESOURCES,
  listRepositoryFiles: RESOURCES,
  testRepository: RESOURCES,

  listInventory: READ,
  getInventory: READ,
  getInventoryReferences: READ,
  getInventoryHosts: READ,
  createInventory: RESOURCES,
  updateInventory: RESOURCES,
  deleteInventory: RESOURCES,

  listEnvironments: READ,
  getEnvironment: READ,
  getEnvironmentReferences: READ,
  createEnvironment: RESOURCES,
  updateEnvironment: RESOURCES,
  deleteEnvironment: RESOURCES,

  listTemplates: READ,
  listViewTemplates: READ,
  getTemplate: READ,
  getTemplateReferences: READ,
  listTemplateTasks: READ,
  listChoices: RUN,
  listLastTemplateTasks: READ,
  createTemplate: RESOURCES,
  updateTemplate: RESOURCES,
  deleteTemplate: RESOURCES,

  listSavedFilters: READ,
  getSavedFilter: READ,
  // Everyone may keep filters of their own. The valid requests change shared ones.
  createSavedFilter: READ,
  updateSavedFilter: RESOURCES,
  deleteSavedFilter: RESOURCES,

  listSavedLaunches: READ,
  listSavedLaunchCounts: READ,
  getSavedLaunch: READ,
  createSavedLaunch: RUN,
  updateSavedLaunch: RESOURCES,
  deleteSavedLaunch: RESOURCES,

  listAllSchedules: SIGNED_IN,
  listSchedules: READ,
  listScheduleOutcomes: READ,
  getScheduleWeek: READ,
  listTemplateSchedules: READ,
  listTemplateHosts: READ,
  getSchedule: READ,
  createSchedule: RESOURCES,
  validateSchedule: RESOURCES,
  updateSchedule: RESOURCES,
  deleteSchedule: RESOURCES,

  runTemplates: RUN,
  changeTemplates: RESOURCES,
  copyTemplates: RESOURCES,
  deleteTemplates: RESOURCES,
  deleteTasks: OWNER,
  activateSchedules: RESOURCES,

  search: SIGNED_IN,
  listActiveTasks: SIGNED_IN,
  stopTasks: SIGNED_IN,
  receiveWebhook: EVERYBODY,
  listWebhooks: READ,
  getWebhook: READ,
  createWebhook: RESOURCES,
  testWebhook: RESOURCES,
  updateWebhook: RESOURCES,
  deleteWebhook: RESOURCES,
  renewWebhookAddress: RESOURCES,
  listWebhookCalls: READ,
  getWebhookCall: RESOURCES,
  resendWebhookCall: RUN,

  listTasks: READ,
  listLastTasks: READ,
  listOutcomes: READ,
  getTask: READ,
  getTaskRecords: READ,
  getTaskLines: READ,
  searchTaskLines: READ,
  getTaskStatistics: READ,
  getTaskText: READ,
  getTaskResults: READ,
  getTaskSummary: READ,
  listTaskSteps: READ,
  listTaskHosts: READ,
  listTaskFailures: READ,
  listFailureClusters: READ,
  listFailureHosts: READ,
  listFailures: READ,
  getFailure: READ,
  updateFailure: RUN,
  listTaskHostResults: READ,
  compareTask: READ,
  listHosts: READ,
  getHost: READ,
  createTask: RUN,
  stopTask: RUN,
  approveTask: OWNER,
  rejectTask: OWNER,
  deleteTask: OWNER,
};

/** Calls about a user who is also the caller. */
export const RIGHTS_ON_ONESELF = {
  getUser: SIGNED_IN,
  updateUser: SIGNED_IN,
  changePassword: SIGNED_IN,
  // Users cannot delete themselves.
  deleteUser: '-xxxxxx',
} as const satisfies Partial<Record<RouteName, Row>>;

/**
 * The calls for which each right of a custom role is enough, in addition to reading. Independent of the route table, so
 * that a wrong permission there is found.
 */
export const CALLS_OF_RIGHT: Readonly<Record<RoleRight, readonly RouteName[]>> = {
  run_tasks: [
    ...(['createTask', 'listChoices', 'runTemplates', 'stopTask', 'resendWebhookCall', 'createSavedLaunch'] as const),
    'updateFailure',
  ],
  stop_tasks: ['stopTask'],
  approve_tasks: ['approveTask', 'rejectTask'],
  edit_templates: [
    ...(['createTemplate', 'updateTemplate', 'deleteTemplate'] as const),
    ...(['changeTemplates', 'copyTemplates', 'deleteTemplates'] as const),
    ...(['createView', 'updateView', 'deleteView', 'placeViews'] as const),
    ...(['createLabel', 'updateLabel', 'deleteLabel'] as const),
    ...(['updateSavedFilter', 'deleteSavedFilter'] as const),
    ...(['listBranches', 'listRepositoryFiles'] as const),
  ],
  edit_schedules: [
    ...(['createSchedule', 'validateSchedule', 'updateSchedule', 'deleteSchedule', 'activateSchedules'] as const),
    ...(['createFreezeWindow', 'updateFreezeWindow', 'deleteFreezeWindow'] as const),
    ...(['createWebhook', 'testWebhook', 'updateWebhook', 'deleteWebhook'] as const),
    ...(['renewWebhookAddress', 'getWebhookCall'] as const),
  ],
  edit_inventories: [
    ...(['createInventory', 'updateInventory', 'deleteInventory'] as const),
    ...(['createEnvironment', 'updateEnvironment', 'deleteEnvironment'] as const),
  ],
  edit_repositories: [
    ...(['createRepository', 'updateRepository', 'deleteRepository'] as const),
    ...(['listBranches', 'listRepositoryFiles', 'testRepository'] as const),
  ],
  edit_keys: ['createKey', 'updateKey', 'deleteKey', 'testKey', 'testNewKey'],
};
