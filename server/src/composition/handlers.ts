import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { demoFiller } from '../demo/fill-with-demo.ts';
import { holdsTasks } from '../dispatch/held-tasks.ts';
import { isLocalName } from '../dispatch/local-runner.store.ts';
import { revokeToken } from '../dispatch/revoke-runner.ts';
import { addressProofRoutes } from '../features/address-proof/address-proof.routes.ts';
import { countRefusal, endProofs, refuseManyAttempts } from '../features/address-proof/address-proof.store.ts';
import { alertsRoutes } from '../features/alerts/alerts.routes.ts';
import { environmentRoutes } from '../features/environment/environment.routes.ts';
import { emptyEnvironment, insertEnvironment } from '../features/environment/environment.store.ts';
import { eventsRoutes } from '../features/events/events.routes.ts';
import { hostsRoutes } from '../features/hosts/hosts.routes.ts';
import { inventoryRoutes } from '../features/inventory/inventory.routes.ts';
import { insertInventory } from '../features/inventory/inventory.store.ts';
import { insertKey } from '../features/keys/key.store.ts';
import { keysRoutes } from '../features/keys/keys.routes.ts';
import { operationsRoutes } from '../features/operations/operations.routes.ts';
import { projectsRoutes } from '../features/projects/projects.routes.ts';
import { repositoriesRoutes } from '../features/repositories/repositories.routes.ts';
import { insertRepository } from '../features/repositories/repository.store.ts';
import { runnersRoutes } from '../features/runners/runners.routes.ts';
import { schedulesRoutes } from '../features/schedules/schedules.routes.ts';
import { codeEntryRoutes } from '../features/second-factor/code-entry.routes.ts';
import { holdSignIn } from '../features/second-factor/held-sign-in.store.ts';
import { secondFactorRoutes } from '../features/second-factor/second-factor.routes.ts';
import { openSession } from '../features/sign-in/open-session.ts';
import { signInRoutes } from '../features/sign-in/sign-in.routes.ts';
import type { SignInThrottle } from '../features/sign-in/sign-in.throttle.ts';
import type { directoryAsker } from '../features/single-sign-on/directories.ts';
import { systemRoutes } from '../features/system/system.routes.ts';
import { findTasks, listTasks } from '../features/tasks/task.read-model.ts';
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
import { tokensRoutes } from '../features/tokens/tokens.routes.ts';
import { findTaken } from '../features/users/user.store.ts';
import { usersRoutes } from '../features/users/users.routes.ts';
import { insertView } from '../features/views/view.store.ts';
import { viewsRoutes } from '../features/views/views.routes.ts';
import type { Handlers } from '../http/call.ts';
import type { LiveHub } from '../live/live-hub.ts';
import { ownerProof } from '../owner-proof.ts';
import type { Alerting } from './alerting.ts';
import type { Dispatching } from './dispatching.ts';
import type { Questions } from './questions.ts';
import type { Storage } from './storage.ts';

export interface HandlerNeeds {
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly dispatching: Dispatching;
  readonly live: LiveHub;
  readonly questions: Questions;
  readonly throttle: SignInThrottle;
  readonly askDirectories: ReturnType<typeof directoryAsker>;
  readonly alerting: Alerting;
  /** URL of the console, without a slash at the end. */
  readonly publicAddress: () => string;
  /** The text that Prometheus reads. */
  readonly metrics: () => Promise<string>;
  /** Checks again what open sockets and open answers may still send. */
  readonly rightsChanged: () => void;
  /** Tells everybody who watches, and dispatch, that tasks are new or changed. */
  readonly tasksChanged: (tasks: readonly TaskRow[]) => void;
  /** Tells the schedules that due times are new or other ones. */
  readonly schedulesChanged: () => void;
}

/** Wires the features: each is given what it needs of the others, none knows them. */
export const composeHandlers = (needs: HandlerNeeds): Handlers => {
  const { config, storage, clock, dispatching, live, questions, rightsChanged } = needs;
  const { database, logs, master } = storage;
  const openLog = logOpener(database, logs);
  const { dispatcher, hub } = dispatching;
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
  const attempt: SignInThrottle['attempt'] = (...guess) => needs.throttle.attempt(...guess);
  const proveOwner = ownerProof({ database, clock, withPassword: config.loginWithPassword, attempt });
  return {
    ...signInRoutes({
      database,
      clock,
      throttle: needs.throttle,
      command: config.command,
      withPassword: config.loginWithPassword,
      secondFactor: config.secondFactor,
      holdSignIn,
      providers: config.oidcProviders.map(({ id, name, color, icon }) => ({ id, name, color, icon })),
      askDirectories: needs.askDirectories,
      rightsChanged,
    }),
    ...codeEntryRoutes({ database, clock, master, attempt, openSession }),
    ...secondFactorRoutes({
      database,
      clock,
      master,
      mode: config.secondFactor,
      host: () => new URL(needs.publicAddress()).host,
      attempt,
      proveOwner,
      rightsChanged,
      usersChanged: () => live.installationChanged('users'),
    }),
    ...systemRoutes({
      capabilities: database.capabilities,
      pathPrefix: config.pathPrefix,
      timezone: config.timezone,
      runners: hub.runners,
      channels: needs.alerting.channels,
    }),
    ...operationsRoutes({ database, runners: hub.runners, metrics: needs.metrics }),
    ...runnersRoutes({
      database,
      clock,
      connected: hub.runners,
      isLocalName,
      holdsTasks,
      revokeToken,
      forget: dispatching.forgetRunner,
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
      hasMail: needs.alerting.channels.email,
      sendMail: (...mail) => needs.alerting.tester.proof(...mail),
      pageOf: (token) => `${needs.publicAddress()}/confirm-email#${token}`,
      findTaken,
      usersChanged: () => live.installationChanged('users'),
    }),
    ...tokensRoutes({ database, clock, proveOwner, rightsChanged }),
    ...projectsRoutes({ database, clock, fillWithDemo, rightsChanged, limitsChanged: () => dispatcher.wake() }),
    ...teamRoutes({ database, clock, rightsChanged }),
    ...eventsRoutes(database),
    ...viewsRoutes({ database, clock }),
    ...keysRoutes({ database, clock, master, testAccess: questions.access }),
    ...repositoriesRoutes({ database, clock, questions, allowHttp: config.httpRepositories }),
    ...inventoryRoutes({ database, clock, askHosts: questions.hosts }),
    ...environmentRoutes({ database, clock, master }),
    ...templatesRoutes({ database, clock, findTasks, listTasks, deleteTasksOf, emptyEnvironment }),
    ...schedulesRoutes({ database, clock, timezone: config.timezone, changed: needs.schedulesChanged }),
    ...tasksRoutes({
      database,
      clock,
      changed: needs.tasksChanged,
      stopOnRunner: (task, force) => dispatcher.stopTask(task, force),
    }),
    ...taskOutputRoutes(openLog),
    ...taskSearchRoutes(openLog),
    ...taskResultsRoutes({ database, logs }),
    ...hostsRoutes(database),
    ...alertsRoutes({ database, clock, master, tester: needs.alerting.tester }),
  };
};
