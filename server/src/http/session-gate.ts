import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, SessionAccess } from './call.ts';

export const SESSION_COOKIE = 'signalbox_session';
/** Readable by the page: it says only that somebody is signed in. */
const MARKER_COOKIE = 'signalbox_signed_in';
/** Says that a password was right and a code is still needed; it is sent nowhere but where one signs in. */
const HELD_COOKIE = 'signalbox_sign_in';

export interface SessionGate {
  access(request: FastifyRequest, reply: FastifyReply): SessionAccess;
  /** The user of the session; its cookies are sent anew whenever its end was moved. */
  callerOf(session: SessionAccess): Promise<Caller | undefined>;
}

export interface GateOptions {
  readonly findCaller: (
    token: string,
  ) => Promise<{ readonly caller: Caller; readonly renewedUntil: Date | undefined } | undefined>;
  readonly findTokenCaller: (token: string) => Promise<Caller | undefined>;
  /** Path of the public address, for cookies; `''` for the root. */
  readonly pathPrefix: string;
  /** True when people reach us by https: cookies then travel no other way. */
  readonly secure: boolean;
}

/** The API token of a request, without judging it; an empty text where the header holds something else. */
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
    callerOf: async ({ token, apiToken, start }) => {
      // Whoever sends a token means that token, not a session that the program happens to have.
      if (apiToken !== undefined) return await findTokenCaller(apiToken);
      const found = token ? await findCaller(token) : undefined;
      if (token && found?.renewedUntil) start(token, found.renewedUntil);
      return found?.caller;
    },
  };
};
