import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { scopesPermit } from '@signalbox/contract';
import { LINK_PATH } from '../dispatch/session/runner-hub.ts';
import { networkOf } from '../features/sign-in/client-network.ts';
import { openSession } from '../features/sign-in/open-session.ts';
import { findCaller } from '../features/sign-in/session.store.ts';
import { SignInThrottle } from '../features/sign-in/sign-in.throttle.ts';
import { directoryQuery } from '../features/single-sign-on/directories.ts';
import { providerSignIn } from '../features/single-sign-on/provider-sign-in.ts';
import { findTokenCaller } from '../features/tokens/token.store.ts';
import { TokenUse } from '../features/tokens/token-use.ts';
import { bindRoutes } from '../http/calls/bind-routes.ts';
import { LongAnswers } from '../http/calls/long-answers.ts';
import { routedUrl } from '../http/edge/app.ts';
import { watchOpenCalls } from '../http/edge/open-calls.ts';
import { isOwnOrigin } from '../http/edge/origin.ts';
import { bindProviders } from '../http/edge/provider-callback.ts';
import { bearerOf, SESSION_COOKIE, sessionGate } from '../http/edge/session-gate.ts';
import { servePage } from '../http/page/page.ts';
import { limitLines } from '../line-limit.ts';
import { LIVE_PATH, LiveServer, refuseUpgrade } from '../live/live-server.ts';
import type { Foundation } from './foundation.ts';
import { composeHandlers } from './handlers.ts';
import type { Services } from './services.ts';

const PAGE_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** Maximum log lines a minute for failed sign-ins with a provider or directory: anonymous clients can cause them. */
const SIGN_IN_LINES = 20;

/** Everything that answers clients. Calls wait until `open` is called. */
export interface Edge {
  /** Lets calls in. */
  open(): void;
  /** Closes sockets. Resolves when every open call is answered. */
  close(): Promise<void>;
}

const composeCallers = ({ config, clock, app, storage: { database } }: Foundation) => {
  const findSession = (token: string) => findCaller(database, token, clock.now(), config.secondFactor);
  const tokenUse = new TokenUse(database, (error) =>
    app.log.warn({ err: error }, 'the last use of an API token could not be stored'),
  );
  const findByToken = (token: string, address?: string) =>
    findTokenCaller({ database, use: tokenUse }, token, address, clock.now());
  const secure = config.publicUrl?.startsWith('https:') ?? false;
  const gate = sessionGate({
    findCaller: findSession,
    findTokenCaller: findByToken,
    pathPrefix: config.pathPrefix,
    secure,
  });
  return { findSession, findByToken, tokenUse, gate, secure };
};

type Callers = ReturnType<typeof composeCallers>;

/** Registers the calls of the API. */
const bindCalls = (foundation: Foundation, services: Services, { tokenUse, gate, secure }: Callers): void => {
  const { config, clock, app, storage, publicAddress } = foundation;
  const { database } = storage;
  const { bus } = services;
  const throttle = new SignInThrottle(database, clock);
  const warnOfSignIns = limitLines(clock, SIGN_IN_LINES);
  const longAnswers = new LongAnswers({
    onError: (error) => app.log.warn({ err: error }, 'the rights of open answers could not be checked'),
  });
  const recheckAnswers = (): void => void longAnswers.recheck();
  bus.on('rights_changed', recheckAnswers);
  bus.on('events_missed', recheckAnswers);
  const rightsChanged = (): void => bus.publish('rights_changed', {});
  const handlers = composeHandlers({
    ...services,
    config,
    storage,
    clock,
    throttle,
    tokenUse,
    queryDirectories: directoryQuery({
      servers: config.ldapServers,
      onDown: (server, { message }) =>
        warnOfSignIns((more) => app.log.warn({ server, why: message, ...more }, 'a directory could not be queried')),
    }),
    publicAddress,
    onListingError: (error) => app.log.warn({ err: error }, 'the listed hosts of an inventory could not be stored'),
    metrics: services.metrics.text,
  });
  bindRoutes(app, handlers, {
    db: database.read,
    gate,
    longAnswers,
    publicUrl: config.publicUrl,
    onChanged: (projectId, part) => bus.publish('part_changed', { projectId, part }),
    onInstallationChanged: (part) => bus.publish('installation_changed', { part }),
  });
  const providers = providerSignIn({
    database,
    clock,
    master: storage.master,
    providers: config.oidcProviders,
    pathPrefix: config.pathPrefix,
    // Failed callbacks have a separate limit: a provider that refuses all users must not block passwords.
    attempt: (account, from, verify) => throttle.attempt(account, `returns of ${networkOf(from)}`, verify),
    openSession,
    rightsChanged,
    onFailure: (provider, { failure, message }) =>
      warnOfSignIns((more) =>
        app.log.warn({ provider, fault: failure, why: message, ...more }, 'a sign-in with a provider failed'),
      ),
    onError: (error) =>
      warnOfSignIns((more) =>
        app.log.error({ err: error, ...more }, 'a sign-in with a provider failed because of an error of this server'),
      ),
  });
  bindProviders(app, providers, { gate, pathPrefix: config.pathPrefix, secure });
};

/** Accepts the sockets of pages and runners. */
const bindSockets = (foundation: Foundation, services: Services, { findSession, findByToken }: Callers): LiveServer => {
  const { config, app, shutdown } = foundation;
  const { live, dispatching } = services;
  const liveServer = new LiveServer({
    hub: live,
    sessionOf: async (request) => {
      const apiToken = bearerOf(request.headers);
      if (apiToken !== undefined) {
        const { token: grant } = (await findByToken(apiToken)) ?? {};
        if (!grant) return undefined;
        return scopesPermit(grant.scopes, 'read') ? { token: apiToken } : 'out_of_scope';
      }
      const token = app.parseCookie(request.headers.cookie ?? '')[SESSION_COOKIE];
      const found = token === undefined ? undefined : await findSession(token);
      return token !== undefined && found && !found.caller.secondFactorDue ? { token } : undefined;
    },
    isOwnOrigin: (request) => isOwnOrigin(request.headers, config.publicUrl),
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Other listeners are removed by now. Without this one, a broken connection would end the process.
    socket.on('error', () => socket.destroy());
    const path = routedUrl(request.url, config.pathPrefix).split('?')[0];
    const { isStopping } = shutdown;
    if (path === LIVE_PATH && !isStopping) void liveServer.handleUpgrade(request, socket, head);
    else if (path === LINK_PATH && !isStopping) void dispatching.hub.handleUpgrade(request, socket, head);
    else refuseUpgrade(socket, isStopping ? '503 Service Unavailable' : '404 Not Found');
  });
  return liveServer;
};

/** Registers calls, the page and sockets. Must run before the port is opened. */
export const composeEdge = async (foundation: Foundation, services: Services): Promise<Edge> => {
  const { config, app, shutdown } = foundation;
  const openCalls = watchOpenCalls(app, () => shutdown.isStopping);
  services.metrics.watchCalls(app);
  const opened = Promise.withResolvers<void>();
  app.addHook('onRequest', () => opened.promise);
  const callers = composeCallers(foundation);
  bindCalls(foundation, services, callers);
  await servePage(app, PAGE_FOLDER, config.pathPrefix);
  const liveServer = bindSockets(foundation, services, callers);
  return {
    open: () => opened.resolve(),
    close: async () => {
      liveServer.close();
      await openCalls.finished();
      await callers.tokenUse.written();
      await app.close();
    },
  };
};
