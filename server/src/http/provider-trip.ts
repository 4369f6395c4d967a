import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAccess } from './call.ts';
import type { SessionGate } from './session-gate.ts';

/** Where the providers' addresses lie; a cookie for them is sent nowhere else. */
const TRIPS_PATH = '/api/auth/oidc';
const TRIP_COOKIE = 'signalbox_trip';

/** A browser that sets out to a provider, or comes back from one. */
export interface Arrival {
  readonly providerId: string;
  readonly query: URLSearchParams;
  /** Of the client. */
  readonly address: string;
  readonly session: SessionAccess;
  /** What was kept in this browser when it set out. */
  readonly kept: string | undefined;
}

/** Where the browser is sent. */
export interface Departure {
  readonly to: string;
  /** What the browser keeps until it is back, and for how many seconds; undefined takes away what it kept. */
  readonly keep?: { readonly value: string; readonly seconds: number };
}

export interface TripHandlers {
  readonly setOut: (arrival: Arrival) => Promise<Departure>;
  readonly comeBack: (arrival: Arrival) => Promise<Departure>;
}

export interface TripEdge {
  readonly gate: SessionGate;
  readonly pathPrefix: string;
  readonly secure: boolean;
}

/** Matches an API token in the address of the call that revokes it, after its prefix, which is no secret. */
const TOKEN_IN_PATH = /(\/user\/tokens\/[^/?]{10})[^/?]+/;

/** Matches the pages that carry the page to go to next, which may hold the token of a mailed link. */
const SIGN_IN_PAGE = /^\/auth\/(?:login|second-factor)(?=[/?]|$)/;

/**
 * The address of a request for logs: without the parameters of sign-in pages and of ways to providers and back, and
 * without API tokens.
 */
export const loggedUrl = (url: string): string =>
  url.startsWith(`${TRIPS_PATH}/`) || SIGN_IN_PAGE.test(url)
    ? (url.split('?')[0] ?? '')
    : url.replace(TOKEN_IN_PATH, '$1…');

const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

/** Answers the two addresses of each provider. Browsers are led there, programs do not call them: every answer is a redirection. */
export const bindTrips = (app: FastifyInstance, { setOut, comeBack }: TripHandlers, edge: TripEdge): void => {
  const cookie = {
    path: `${edge.pathPrefix}${TRIPS_PATH}/`,
    sameSite: 'lax',
    secure: edge.secure,
    httpOnly: true,
  } as const;
  const answer = (handler: TripHandlers['setOut']) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { to, keep } = await handler({
      providerId: (request.params as { provider_id: string }).provider_id,
      query: queryOf(request),
      address: request.ip,
      session: edge.gate.access(request, reply),
      kept: request.cookies[TRIP_COOKIE],
    });
    if (keep) reply.setCookie(TRIP_COOKIE, keep.value, { ...cookie, maxAge: keep.seconds });
    else if (request.cookies[TRIP_COOKIE] !== undefined) reply.clearCookie(TRIP_COOKIE, cookie);
    return reply.header('cache-control', 'no-store').redirect(to, 302);
  };
  const way = { method: 'GET', exposeHeadRoute: false } as const;
  app.route({ ...way, url: `${TRIPS_PATH}/:provider_id/login`, handler: answer(setOut) });
  app.route({ ...way, url: `${TRIPS_PATH}/:provider_id/callback`, handler: answer(comeBack) });
};
