import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  DEFAULT_APP,
  LINK_PROTOCOL,
  type RunnerMessage,
  type ServerMessage,
  versionOf,
} from '@signalbox/contract/link';
import { z } from 'zod';
import { Apps } from './apps/apps.ts';
import { CacheCleaner } from './cache/cache-cleaner.ts';
import type { RunnerConfig } from './config.ts';
import { Environments } from './environments/environments.ts';
import { DemoRepository } from './git/demo-repository.ts';
import { gitEnvironment } from './git/git.ts';
import { GitMirrors } from './git/git-mirror.ts';
import { removeCredential } from './link/credential.ts';
import { Link, linkUrl } from './link/link.ts';
import { nameProcess, onWelcome } from './link/process-identity.ts';
import { findAccess } from './link/runner-access.ts';
import { makeServerAgent } from './link/server-agent.ts';
import { killMarkedWithPrefix, killProcessesNaming, RUN_MARKER } from './process/process-table.ts';
import { openUser, requireFolderAccess } from './process/process-user.ts';
import type { ProcessUser } from './process/user.ts';
import { WarmProcess } from './process/warm-process.ts';
import { QueryService } from './queries/query-service.ts';
import { removePrivateFolders } from './queries/run-hosts.ts';
import { removeOldLogs } from './runs/log/orphaned-log.ts';
import { RunRegistry } from './runs/run-registry.ts';
import { HostKeys } from './ssh/host-keys.ts';
import type { RunnerContext } from './workspace/runner-context.ts';
import { makeWorkspaces } from './workspace/workspace.ts';

/** How long a local runner without work waits for its server, in milliseconds. */
const LOCAL_WAIT_MS = 5_000;

const DEMO_CONTENT = join(import.meta.dirname, '..', '..', 'demo');

const PACKAGE_FILE = join(import.meta.dirname, '..', 'package.json');
const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'))).version;

/** Trusts the owners of the configured local repositories. Configurations of users are not read. */
const GIT_CONFIG = '[safe]\n\tdirectory = *\n[protocol]\n\tversion = 2\n';

const makeContext = (config: RunnerConfig, data: string, user: ProcessUser | undefined): RunnerContext => {
  const gitConfig = join(data, 'gitconfig');
  writeFileSync(gitConfig, GIT_CONFIG, { mode: 0o600 });
  const hostKeys = join(data, 'known-hosts');
  mkdirSync(hostKeys, { recursive: true, mode: 0o700 });
  const root = join(data, 'places');
  return {
    base: config.base,
    workspaces: { root, entered: [...(config.isLocal ? [dirname(data)] : []), data, root], user, env: config.base },
    gitConfig,
    outputLimit: config.outputLimit,
    mirrors: new GitMirrors(join(data, 'mirrors')),
    demo: new DemoRepository(DEMO_CONTENT, join(data, 'demo.git')),
    roots: config.roots,
    sharesFiles: user === undefined,
    hostKeys: new HostKeys(hostKeys, config.hostKeys),
  };
};

/** What markers and workspaces of queries begin with. Earlier versions used the second name. */
const QUERY_NAMES = ['query', 'question'] as const;

const NOT_SEPARATED =
  'Warning: tasks are executed as the user of this runner and can read its token and other tasks. Set SIGNALBOX_RUN_AS to another user to keep them apart.';

/** Whether the runner has finished its work, or the server has refused it before it confirmed the only task. */
export type RunnerEnd = 'finished' | 'refused';

/** A running runner. */
export interface Runner {
  /** Accepts no more jobs and ends after the last run. The second call stops the runs. */
  terminate(): void;
  /** Resolves when the runner has ended. */
  ended: Promise<RunnerEnd>;
}

/** Starts a runner. No other process may use its data folder. */
export const startRunner = async (config: RunnerConfig, log: (text: string) => void): Promise<Runner> => {
  const data = resolve(config.data);
  const access = await findAccess({ ...config, data });
  const once = config.once || access.isEphemeral;
  const user = config.runAs === '' ? undefined : await openUser(config.runAs, config.base);
  const context = makeContext(config, data, user);
  const apps = new Apps({ data, env: config.base });
  const environments = new Environments({ settings: config.containers, data, base: config.base });
  const supervisors = new WarmProcess({
    folder: join(data, 'warm'),
    env: config.base,
    python: () => apps.python(),
    // With a run user, its interpreter would execute files with the rights of the superuser before they can be checked.
    program: () => (config.warmStart && !once && config.runAs === '' ? apps.warmStart() : undefined),
    log,
  });
  if (user) {
    await chmod(data, 0o711);
    await makeWorkspaces(context.workspaces);
    await requireFolderAccess(user, context.workspaces.root, config.base);
  } else if (!config.isLocal) {
    // A server logs this itself for its local runner.
    log(NOT_SEPARATED);
  }
  const folderId = createHash('sha256').update(data).digest('hex').slice(0, 8);
  const [queryMarker, packingMarker] = [`query-${folderId}`, `packing-${folderId}`];
  await killMarkedWithPrefix(packingMarker);
  for (const name of QUERY_NAMES) {
    await killMarkedWithPrefix(`${name}-${folderId}`);
    // The ssh agents of queries. Other processes in the workspaces belong to runs.
    await killProcessesNaming(join(context.workspaces.root, `${name}-`));
  }
  await removePrivateFolders(data);

  const { promise: ended, resolve: end } = Promise.withResolvers<RunnerEnd>();
  let isDraining = false;
  let localTimer: NodeJS.Timeout | undefined;
  const detected = Promise.all([apps.watch(), environments.watch()]);
  const queries = new QueryService({ context, apps, environments }, queryMarker, log);
  const closing = new AbortController();
  const identity = await nameProcess(data);

  const finish = (how: RunnerEnd = 'finished') => {
    clearTimeout(localTimer);
    apps.stop();
    environments.stop();
    supervisors.stop();
    link.close();
    closing.abort();
    // The server deletes an ephemeral runner that has ended, so its credential no longer works.
    const removed = access.isEphemeral ? removeCredential(data).catch(() => undefined) : undefined;
    void Promise.all([queries.endAll(), cleaner.stop(), removed]).then(() => end(how));
  };
  let isConnecting = false;
  const waitForServer = () => {
    if (!config.isLocal || link.isOpen || !isConnecting) return;
    localTimer ??= setTimeout(() => {
      localTimer = undefined;
      // Runs that wait to be sent stay in their folders until the next start of the runner.
      if (!link.isOpen && !registry.isActive) finish();
    }, LOCAL_WAIT_MS);
  };
  const onChange = () => {
    if (isDraining && registry.isEmpty) finish();
    else waitForServer();
  };

  const heartbeat = (): RunnerMessage => ({
    type: 'heartbeat',
    runs: registry.reported,
    apps: [...apps.installed],
    environments: [...environments.provided],
    ...(isDraining ? { draining: true } : {}),
  });
  const link = new Link({
    url: linkUrl(access.server),
    agent: makeServerAgent(access.server, { proxy: config.proxy, ca: access.ca }),
    token: access.token,
    onRefused: (times) => {
      // A runner that takes one task has nothing to wait for when the server has deleted it.
      if (!access.refused(times) || !once || !isDraining || registry.isActive) return;
      log(
        `The server refuses the token of this runner, which may have been deleted. The runner takes no other task and ends. What the server has not confirmed stays in ${data}.`,
      );
      finish('refused');
    },
    hello: async (): Promise<RunnerMessage> => {
      await detected;
      return {
        type: 'hello',
        protocol: LINK_PROTOCOL,
        version: VERSION,
        ansible: versionOf(apps.installed, DEFAULT_APP),
        apps: [...apps.installed],
        environments: [...environments.provided],
        pid: process.pid,
        slots: once ? 1 : config.slots,
        run_as: user?.name ?? null,
        ...(config.settings === '' ? {} : { settings: config.settings }),
        ...identity,
        ...(access.replaceToken ? { replaces_token: true } : {}),
        ...(isDraining ? { draining: true } : {}),
        runs: registry.reported,
      };
    },
    heartbeat,
    onMessage: (message) => onMessage(message),
    onLost: () => {
      registry.linkLost();
      void queries.endAll();
      waitForServer();
    },
    log,
  });
  const registry = new RunRegistry({
    folder: join(data, 'runs'),
    orphanedLogs: join(data, 'late'),
    context,
    apps,
    environments,
    supervisors,
    send: link.send,
    log,
    acceptsOne: once,
    onAccepted: () => once && drain(),
    onChange,
  });

  const drain = () => {
    if (isDraining) return;
    isDraining = true;
    log('The runner accepts no more jobs and ends after its last run.');
    registry.drain();
    // Jobs that were sent and not accepted go to other runners at once.
    link.send(heartbeat());
    onChange();
  };
  let isTerminating = false;
  const terminate = () => {
    if (isTerminating) registry.stopAll();
    isTerminating = true;
    drain();
  };
  const replaceToken = async ({ id, token }: { id: string; token: string }): Promise<void> => {
    try {
      await access.replaceToken?.(token);
      link.send({ type: 'token_stored', id });
    } catch (error) {
      log(`The new token of this runner cannot be stored: ${String(error)}. It continues with its current token.`);
    }
  };
  const onMessage = (message: ServerMessage): void => {
    switch (message.type) {
      case 'welcome':
        clearTimeout(localTimer);
        localTimer = undefined;
        void onWelcome(data, identity);
        if (!config.isLocal) log(`Connected to ${access.server}${access.name === '' ? '' : ` as ${access.name}`}.`);
        if (message.protocol === LINK_PROTOCOL) return;
        log(
          `The server uses version ${message.protocol} of the runner link and this runner uses ${LINK_PROTOCOL}: this runner accepts no more jobs.`,
        );
        drain();
        return;
      case 'drain':
        drain();
        return;
      case 'new_token':
        void replaceToken(message);
        return;
      case 'query':
        void queries.answer(message).then((answer) => {
          if (answer) link.send({ type: 'answer', query_id: message.query_id, answer });
        });
        return;
      case 'query_ended':
        queries.end(message.query_id);
        return;
      default:
        void registry.handle(message);
    }
  };

  const cleaner = new CacheCleaner({
    caches: [context.mirrors.cache, ...apps.all.flatMap(({ cache }) => cache ?? []), ...environments.caches],
    limits: config.cache,
    inUse: async () => new Set([...(await registry.uses()), ...context.mirrors.inUse]),
    cleanMore: async () => {
      await removeOldLogs(join(data, 'late'), log);
      await registry.removeOld(config.cache.days);
    },
    afterCleaning: () =>
      context.mirrors.pack(packing).catch((error) => {
        if (!closing.signal.aborted) throw error;
      }),
    log,
  });
  const packing = {
    env: { ...gitEnvironment(config.base, context.gitConfig), [RUN_MARKER]: packingMarker },
    signal: closing.signal,
  };
  const stagingFolders = await cleaner.stagingFolders();
  await registry.recover();
  void environments.containers
    .removeOthers((marker) => registry.markers.has(marker) || queries.holds(marker))
    .catch((error) => log(`Containers of ended runs cannot be removed: ${String(error)}`));
  // The task of an earlier process is the only one.
  if (once && !registry.isEmpty) drain();
  cleaner.start(stagingFolders);
  isConnecting = true;
  link.connect();
  waitForServer();
  return { terminate, ended };
};
