import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAccess } from '../calls/call.ts';
import type { SessionGate } from './session-gate.ts';

/** Path of the provider addresses, and of the cookie for them. */
const CALLBACK_PATH = '/api/auth/oidc';
const REQUEST_COOKIE = 'signalbox_sign_on';

/** A browser at the start of an authorization request, or at the callback. */
export interface Arrival {
  readonly providerId: string;
  readonly query: URLSearchParams;
  /** IP address of the client. */
  readonly address: string;
  readonly session: SessionAccess;
  /** The value of the cookie that was set at the start of the authorization request. */
  readonly kept: string | undefined;
}

/** The redirection of the browser. */
export interface Departure {
  readonly to: string;
  /** The cookie that the browser keeps until the callback, and its lifetime; undefined deletes the cookie. */
  readonly keep?: { readonly value: string; readonly seconds: number };
}

export interface ProviderHandlers {
  readonly begin: (arrival: Arrival) => Promise<Departure>;
  readonly finish: (arrival: Arrival) => Promise<Departure>;
}

export interface ProviderEdge {
  readonly gate: SessionGate;
  readonly pathPrefix: string;
  readonly secure: boolean;
}

/** Matches an API token in the path of the call that revokes it, after its prefix, which is not secret. */
const TOKEN_IN_PATH = /(\/user\/tokens\/[^/?]{10})[^/?]+/;

/** Matches the secret part of the address of a webhook. */
const WEBHOOK = /^(\/api\/webhook\/)[^/?]+/;

/** Matches sign-in pages. Their parameters name the next page and may contain the token of a mailed link. */
const SIGN_IN_PAGE = /^\/auth\/(?:login|second-factor)(?=[/?]|$)/;

/**
 * Returns the address of a request for logs: without the parameters of sign-in pages and provider addresses, and
 * without API tokens and the secret parts of webhook addresses.
 */
export const loggedUrl = (url: string): string =>
  url.startsWith(`${CALLBACK_PATH}/`) || SIGN_IN_PAGE.test(url)
    ? (url.split('?')[0] ?? '')
    : url.replace(TOKEN_IN_PATH, '$1…').replace(WEBHOOK, '$1…');

const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

/** Registers the two addresses of each provider. Only browsers open them, and every answer is a redirection. */
export const bindProviders = (app: FastifyInstance, { begin, finish }: ProviderHandlers, edge: ProviderEdge): void => {
  const cookie = {
    path: `${edge.pathPrefix}${CALLBACK_PATH}/`,
    sameSite: 'lax',
    secure: edge.secure,
    httpOnly: true,
  } as const;
  const answer = (handler: ProviderHandlers['begin']) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { to, keep } = await handler({
      providerId: (request.params as { provider_id: string }).provider_id,
      query: queryOf(request),
      address: request.ip,
      session: edge.gate.access(request, reply),
      kept: request.cookies[REQUEST_COOKIE],
    });
    if (keep) reply.setCookie(REQUEST_COOKIE, keep.value, { ...cookie, maxAge: keep.seconds });
    else if (request.cookies[REQUEST_COOKIE] !== undefined) reply.clearCookie(REQUEST_COOKIE, cookie);
    return reply.header('cache-control', 'no-store').redirect(to, 302);
  };
  const step = { method: 'GET', exposeHeadRoute: false } as const;
  app.route({ ...step, url: `${CALLBACK_PATH}/:provider_id/login`, handler: answer(begin) });
  app.route({ ...step, url: `${CALLBACK_PATH}/:provider_id/callback`, handler: answer(finish) });
};
