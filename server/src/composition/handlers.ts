import type { ChangedPart } from '@signalbox/contract';
import type { Bus } from '../bus/bus.ts';
import type { OwnServer } from '../bus/own-server.ts';
import type { Relay } from '../bus/relay.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { demoFiller } from '../demo/fill-with-demo.ts';
import { runnersOfProject } from '../dispatch/claim/runner-rules.ts';
import { ephemeralExpiry } from '../dispatch/leases/ephemeral-runners.ts';
import { revokeToken } from '../dispatch/leases/revoke-runner.ts';
import { hasTasks } from '../dispatch/leases/tasks-of-runner.ts';
import { isLocalName } from '../dispatch/local-runner/local-runner.store.ts';
import { requestNewToken } from '../dispatch/session/runner-tokens.ts';
import { addressProofRoutes } from '../features/address-proof/address-proof.routes.ts';
import { countRefusal, endProofs, refuseManyAttempts } from '../features/address-proof/address-proof.store.ts';
import { translatorFor } from '../features/alerts/alert-texts.ts';
import { alertsRoutes } from '../features/alerts/alerts.routes.ts';
import { choicesRoutes } from '../features/choices/choices.routes.ts';
import { environmentRoutes } from '../features/environment/environment.routes.ts';
import { emptyEnvironment, insertEnvironment } from '../features/environment/environment.store.ts';
import { eventsRoutes } from '../features/events/events.routes.ts';
import { findFailures, findOpenFailures } from '../features/failures/failure.read-model.ts';
import { failuresRoutes } from '../features/failures/failures.routes.ts';
import { freezeWindowsRoutes } from '../features/freeze-windows/freeze-windows.routes.ts';
import { grantsRoutes } from '../features/grants/grants.routes.ts';
import { hostsRoutes } from '../features/hosts/hosts.routes.ts';
import { inventoryRoutes } from '../features/inventory/inventory.routes.ts';
import { insertInventory } from '../features/inventory/inventory.store.ts';
import { insertKey } from '../features/keys/key.store.ts';
import { keysRoutes } from '../features/keys/keys.routes.ts';
import { labelsRoutes } from '../features/labels/labels.routes.ts';
import { operationsRoutes } from '../features/operations/operations.routes.ts';
import { overviewRoutes } from '../features/overview/overview.routes.ts';
import { projectsRoutes } from '../features/projects/projects.routes.ts';
import { publicLinksRoutes } from '../features/public-links/public-links.routes.ts';
import { repositoriesRoutes } from '../features/repositories/repositories.routes.ts';
import { insertRepository } from '../features/repositories/repository.store.ts';
import type { RetentionSweeper } from '../features/retention/retention-sweeper.ts';
import { storageRoutes } from '../features/retention/storage.routes.ts';
import { findGivenRole, nameOfRole } from '../features/roles/role.store.ts';
import { rolesRoutes } from '../features/roles/roles.routes.ts';
import { registerRoutes } from '../features/runners/register.routes.ts';
import { registrationsRoutes } from '../features/runners/registrations.routes.ts';
import { runnersRoutes } from '../features/runners/runners.routes.ts';
import { savedFiltersRoutes } from '../features/saved-filters/saved-filters.routes.ts';
import { savedLaunchesRoutes } from '../features/saved-launches/saved-launches.routes.ts';
import { recheckHeldRuns } from '../features/schedules/held-runs.ts';
import { schedulesRoutes } from '../features/schedules/schedules.routes.ts';
import { searchRoutes } from '../features/search/search.routes.ts';
import { codeEntryRoutes } from '../features/second-factor/code-entry.routes.ts';
import { holdSignIn } from '../features/second-factor/held-sign-in.store.ts';
import { secondFactorRoutes } from '../features/second-factor/second-factor.routes.ts';
import { networkOf } from '../features/sign-in/client-network.ts';
import { openSession } from '../features/sign-in/open-session.ts';
import { signInRoutes } from '../features/sign-in/sign-in.routes.ts';
import type { SignInThrottle } from '../features/sign-in/sign-in.throttle.ts';
import type { directoryQuery } from '../features/single-sign-on/directories.ts';
import { systemRoutes } from '../features/system/system.routes.ts';
import { systemStateRoutes } from '../features/system/system-state.routes.ts';
import { activeTasksRoutes } from '../features/tasks/active-tasks.routes.ts';
import { changesBetween } from '../features/tasks/comparison/changed-values.ts';
import { commitComparisonRoutes } from '../features/tasks/comparison/commit-comparison.routes.ts';
import { comparisonRoutes } from '../features/tasks/comparison/comparison.routes.ts';
import { logComparisonRoutes } from '../features/tasks/comparison/log-comparison.routes.ts';
import { checkLaunchValues } from '../features/tasks/launch/launch-check.ts';
import { selectedTasksRoutes } from '../features/tasks/selected-tasks.routes.ts';
import { findTasks, listTasks } from '../features/tasks/task.read-model.ts';
import { stopOutdated } from '../features/tasks/task-approval.ts';
import { deleteTasksOf } from '../features/tasks/task-delete.ts';
import { logOpener } from '../features/tasks/task-log.ts';
import { taskOutputRoutes } from '../features/tasks/task-output.routes.ts';
import { taskResultsRoutes } from '../features/tasks/task-results.routes.ts';
import { taskSearchRoutes } from '../features/tasks/task-search.routes.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';
import { tasksRoutes } from '../features/tasks/tasks.routes.ts';
import { teamRoutes } from '../features/team/team.routes.ts';
import { soleOwnerships } from '../features/team/team.store.ts';
import { insertTemplate } from '../features/templates/template.store.ts';
import { templatesRoutes } from '../features/templates/templates.routes.ts';
import { silentTasksOf } from '../features/times/silent-in-project.ts';
import { templateTimesRoutes } from '../features/times/template-times.routes.ts';
import type { TokenUse } from '../features/tokens/token-use.ts';
import { tokensRoutes } from '../features/tokens/tokens.routes.ts';
import { findTaken } from '../features/users/user.store.ts';
import { usersRoutes } from '../features/users/users.routes.ts';
import { insertView } from '../features/views/view.store.ts';
import { viewsRoutes } from '../features/views/views.routes.ts';
import { webhooksRoutes } from '../features/webhooks/webhooks.routes.ts';
import type { Handlers } from '../http/calls/call.ts';
import { readLogStoreState } from '../logs/objects/log-store-state.ts';
import { ownerProof } from '../owner-proof.ts';
import { placementOf } from '../settings/log-store-settings.ts';
import type { Alerting } from './alerting.ts';
import type { Choices } from './choices.ts';
import type { Dispatching } from './dispatching.ts';
import { notedListing } from './listed-hosts.ts';
import type { RunnerQueries } from './runner-queries.ts';
import type { Storage } from './storage.ts';
import type { Timing } from './timing.ts';
import { webhookLaunch } from './webhook-launch.ts';

export interface HandlerDeps {
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly dispatching: Dispatching;
  readonly bus: Bus;
  readonly relay: Relay | undefined;
  readonly ownServer: OwnServer;
  readonly retention: Pick<RetentionSweeper, 'next'>;
  readonly queries: RunnerQueries;
  readonly choices: Choices;
  readonly throttle: SignInThrottle;
  readonly tokenUse: TokenUse;
  readonly queryDirectories: ReturnType<typeof directoryQuery>;
  readonly alerting: Alerting;
  readonly timing: Timing;
  /** URL of the console, without a trailing slash. */
  readonly publicAddress: () => string;
  /** Reports that the listed hosts of an inventory could not be stored. */
  readonly onListingError: (error: unknown) => void;
  /** Returns the metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/** Wires the features. No feature knows another: each gets what it needs from others as parameters. */
export const composeHandlers = (deps: HandlerDeps): Handlers => {
  const { config, storage, clock, dispatching, bus, queries } = deps;
  const { database, logs, master } = storage;
  const rightsChanged = (): void => bus.publish('rights_changed', {});
  const dueTimesChanged = (): void => bus.publish('due_times_changed', {});
  const capacityChanged = (): void => bus.publish('capacity_changed', {});
  const usersChanged = (): void => bus.publish('installation_changed', { part: 'users' });
  const partChanged = (part: ChangedPart) => (projectId: number) => bus.publish('part_changed', { projectId, part });
  const tasksChanged = (tasks: readonly TaskRow[]): void => bus.publish('tasks_changed', { tasks });
  const notices = () => (deps.relay ? (deps.relay.lagMs === undefined ? 'lost' : 'connected') : 'none');
  const openLog = logOpener(database, logs);
  const { dispatcher } = dispatching;
  const { channels } = deps.alerting;
  const fillWithDemo = demoFiller(
    {
      key: (tx, projectId, name, secret, actor, now) => insertKey(tx, master, projectId, name, secret, actor, now),
      repository: insertRepository,
      inventory: insertInventory,
      environment: insertEnvironment,
      view: insertView,
      template: insertTemplate,
    },
    () => clock.now(),
  );
  const attempt: SignInThrottle['attempt'] = (...guess) => deps.throttle.attempt(...guess);
  const proveOwner = ownerProof({ database, clock, withPassword: config.loginWithPassword, attempt });
  return {
    ...signInRoutes({
      database,
      clock,
      throttle: deps.throttle,
      command: config.command,
      withPassword: config.loginWithPassword,
      secondFactor: config.secondFactor,
      holdSignIn,
      providers: config.oidcProviders.map(({ id, name, color, icon }) => ({ id, name, color, icon })),
      queryDirectories: deps.queryDirectories,
      rightsChanged,
    }),
    ...codeEntryRoutes({ database, clock, master, attempt, openSession }),
    ...secondFactorRoutes({
      database,
      clock,
      master,
      mode: config.secondFactor,
      host: () => new URL(deps.publicAddress()).host,
      attempt,
      proveOwner,
      rightsChanged,
      usersChanged,
    }),
    ...systemRoutes({
      capabilities: database.capabilities,
      pathPrefix: config.pathPrefix,
      timezone: config.timezone,
      environments: config.environments,
      runners: dispatching.allRunners,
      channels: { email: channels.email.isConfigured, telegram: channels.telegram.isConfigured },
    }),
    ...operationsRoutes({
      database,
      runners: dispatching.allRunners,
      notices,
      metrics: deps.metrics,
    }),
    ...systemStateRoutes({
      ...{ database, clock, notices },
      servers: () => ({
        own: deps.ownServer.state(),
        name: deps.ownServer.name,
        others: deps.relay?.servers ?? new Map(),
      }),
      runners: dispatching.allRunners,
      readQueue: dispatching.readQueue,
      readLogStore: async () =>
        storage.logStore
          ? await readLogStoreState(database, storage.logStore, config.logStore.afterHours, clock.now())
          : null,
    }),
    ...runnersRoutes({
      database,
      clock,
      connected: dispatching.allRunners,
      isLocalName,
      hasTasks,
      revokeToken,
      remove: dispatching.endWorkOfRunner,
      drain: (id) => dispatching.hub.drain(id),
      settingsChanged: capacityChanged,
    }),
    ...registrationsRoutes({ database, clock, requestNewToken }),
    ...registerRoutes({
      ...{ database, clock, isLocalName, ephemeralExpiry },
      // Failed registrations have a limit of their own, so that they do not block the sign-ins of their network.
      attempt: (account, from, verify) => attempt(account, `registrations of ${networkOf(from)}`, verify),
    }),
    ...usersRoutes({
      database,
      clock,
      secondFactor: config.secondFactor,
      proveOwner,
      soleOwnerships,
      rightsChanged,
      endProofs,
      attempts: { check: refuseManyAttempts, count: countRefusal },
    }),
    ...addressProofRoutes({
      database,
      clock,
      hasMail: channels.email.isConfigured,
      sendMail: (...mail) => deps.alerting.tester.proof(...mail),
      pageOf: (token) => `${deps.publicAddress()}/confirm-email#${token}`,
      findTaken,
      usersChanged,
    }),
    ...tokensRoutes({
      ...{ database, clock, use: deps.tokenUse, proveOwner, rightsChanged },
      tokensChanged: () => bus.publish('installation_changed', { part: 'tokens' }),
    }),
    ...projectsRoutes({
      database,
      clock,
      fillWithDemo,
      rightsChanged,
      limitsChanged: capacityChanged,
      environments: config.environments,
    }),
    ...teamRoutes({ database, clock, rightsChanged, findRole: findGivenRole, nameOfRole }),
    ...rolesRoutes({ database, clock, rightsChanged }),
    ...grantsRoutes({ database, clock, rightsChanged, findRole: findGivenRole, nameOfRole }),
    ...eventsRoutes(database),
    ...viewsRoutes({ database, clock }),
    ...labelsRoutes({ database, clock }),
    ...freezeWindowsRoutes({
      ...{ database, clock, timezone: config.timezone, recheckHeldRuns },
      changed: (projectId) => {
        dueTimesChanged();
        partChanged('schedules')(projectId);
      },
    }),
    ...keysRoutes({ database, clock, master, testAccess: queries.access }),
    ...repositoriesRoutes({ database, clock, queries, allowHttp: config.httpRepositories }),
    ...inventoryRoutes({
      database,
      clock,
      queryHosts: notedListing(queries.hosts, { database, clock, onError: deps.onListingError }),
    }),
    ...environmentRoutes({ database, clock, master }),
    ...templatesRoutes({
      database,
      clock,
      findTasks,
      listTasks,
      deleteTasksOf,
      stopOutdated,
      tasksChanged,
      emptyEnvironment,
      isAllowed: deps.choices.isAllowed,
      environments: config.environments,
    }),
    ...savedFiltersRoutes({ database, clock }),
    ...savedLaunchesRoutes({
      ...{ database, clock, checkLaunchValues },
      sharedChanged: partChanged('schedules'),
    }),
    ...schedulesRoutes({
      database,
      clock,
      master,
      timezone: config.timezone,
      checkLaunchValues,
      changed: dueTimesChanged,
    }),
    ...activeTasksRoutes({
      database,
      clock,
      readWaiting: dispatching.readWaiting,
      addExpectations: (tasks) => deps.timing.progress.add(tasks),
      changed: tasksChanged,
      stopOnRunner: (task, force) => dispatcher.stopTask(task, force),
    }),
    ...webhooksRoutes({
      ...{ database, clock, master, checkLaunchValues },
      publicAddress: deps.publicAddress,
      launch: webhookLaunch(master, config.environments),
      checkChoices: deps.choices.check,
      launched: (task) => tasksChanged([task]),
      callsChanged: partChanged('webhooks'),
    }),
    ...tasksRoutes({
      database,
      clock,
      master,
      readWaiting: dispatching.readWaiting,
      addExpectations: (tasks) => deps.timing.progress.add(tasks),
      changed: tasksChanged,
      stopOnRunner: (task, force) => dispatcher.stopTask(task, force),
      checkChoices: deps.choices.check,
      environments: config.environments,
    }),
    ...selectedTasksRoutes({
      ...{ database, clock, master, changed: tasksChanged },
      environments: config.environments,
    }),
    ...choicesRoutes(database, deps.choices.read),
    ...taskOutputRoutes(openLog),
    ...taskSearchRoutes(openLog),
    ...taskResultsRoutes({ database, logs }),
    ...comparisonRoutes({ database, logs }),
    ...commitComparisonRoutes({ database, queries }),
    ...logComparisonRoutes({ database, logs }),
    ...templateTimesRoutes({
      database,
      timesOfRuns: (runs) => logs.timesOfRuns(runs),
      changes: (...tasks) => changesBetween(database.read, ...tasks),
    }),
    ...storageRoutes({
      ...{ database, system: config.retention, logsIn: placementOf(config.logStore.target) },
      disk: () => (database.capabilities.logsApart ? deps.ownServer.state().disk : null),
      nextSweep: () => deps.retention.next,
    }),
    ...failuresRoutes({ database, clock, logs }),
    ...publicLinksRoutes({ database, clock, translatorFor, publicAddress: deps.publicAddress }),
    ...overviewRoutes({ database, clock, findOpenFailures, connected: dispatching.allRunners, runnersOfProject }),
    ...hostsRoutes({
      ...{ database, clock },
      failuresOf: async (projectId, hidden, fingerprints) => {
        const query = { projectId, hidden, now: clock.now(), fingerprints };
        return (await findFailures(database.read, query, { first: 1, limit: fingerprints.length })).failures;
      },
      silentIn: (...of) => silentTasksOf({ db: database.read, progress: deps.timing.progress, logs }, ...of),
    }),
    ...searchRoutes(database),
    ...alertsRoutes({ database, clock, master, tester: deps.alerting.tester }),
  };
};
