import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, SessionAccess } from '../calls/call.ts';

export const SESSION_COOKIE = 'signalbox_session';
/** Readable by the page. Its only information is that a user is signed in. */
const MARKER_COOKIE = 'signalbox_signed_in';
/** Set while a sign-in with a correct password waits for a code. Sent to the sign-in paths only. */
const HELD_COOKIE = 'signalbox_sign_in';

export interface SessionGate {
  access(request: FastifyRequest, reply: FastifyReply): SessionAccess;
  /** The user of the session. Renews the cookies when the session was extended. */
  callerOf(session: SessionAccess): Promise<Caller | undefined>;
}

export interface GateOptions {
  readonly findCaller: (
    token: string,
  ) => Promise<{ readonly caller: Caller; readonly renewedUntil: Date | undefined } | undefined>;
  readonly findTokenCaller: (token: string, address: string) => Promise<Caller | undefined>;
  /** Path of the public address, for cookies; `''` for the root. */
  readonly pathPrefix: string;
  /** Whether users reach the server by HTTPS. Cookies are then sent over HTTPS only. */
  readonly secure: boolean;
}

/** The API token of a request, not verified; an empty text when the header has another form. */
export const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');

/** Reads and writes the two cookies of a session. */
export const sessionGate = ({ findCaller, findTokenCaller, pathPrefix, secure }: GateOptions): SessionGate => {
  const common = { path: `${pathPrefix}/`, sameSite: 'lax', secure } as const;
  const ofHeld = { path: `${pathPrefix}/api/auth/`, sameSite: 'strict', secure, httpOnly: true } as const;
  return {
    access: (request, reply) => ({
      token: request.cookies[SESSION_COOKIE],
      apiToken: bearerOf(request.headers),
      address: request.ip,
      held: request.cookies[HELD_COOKIE],
      hold: (token, expires) => void reply.setCookie(HELD_COOKIE, token, { ...ofHeld, expires }),
      start: (token, expires) => {
        reply.setCookie(SESSION_COOKIE, token, { ...common, expires, httpOnly: true });
        reply.setCookie(MARKER_COOKIE, '1', { ...common, expires });
        if (request.cookies[HELD_COOKIE] !== undefined) reply.clearCookie(HELD_COOKIE, ofHeld);
      },
      clear: () => {
        reply.clearCookie(SESSION_COOKIE, { ...common, httpOnly: true });
        reply.clearCookie(MARKER_COOKIE, common);
      },
    }),
    callerOf: async ({ token, apiToken, address, start }) => {
      // A token takes precedence over a session cookie.
      if (apiToken !== undefined) return await findTokenCaller(apiToken, address);
      const found = token ? await findCaller(token) : undefined;
      if (token && found?.renewedUntil) start(token, found.renewedUntil);
      return found?.caller;
    },
  };
};
