import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Fields of the answer that its ETag leaves out. */
    readonly changedByRuns?: readonly string[];
  }
}

const without = (payload: string, names: readonly string[]): string => {
  const kept = Object.entries(JSON.parse(payload) as Record<string, unknown>).filter(([name]) => !names.includes(name));
  return JSON.stringify(kept);
};

/** The ETag of a text with this SHA-256 hash. */
export const etagOfHash = (hash: Hash): string => `"${hash.digest('base64url').slice(0, 27)}"`;

/**
 * The ETag of a JSON answer.
 * @param changedByRuns the fields that the ETag leaves out
 */
export const etagOf = (payload: string, changedByRuns?: readonly string[]): string => {
  const text = changedByRuns === undefined ? payload : without(payload, changedByRuns);
  return etagOfHash(createHash('sha256').update(text));
};

/** Whether a header such as `If-Match` names this ETag, or all. */
export const namesEtag = (header: string, etag: string): boolean =>
  header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);

/** Types of answers that have an ETag. */
const TAGGED = ['application/json', 'application/atom+xml', 'image/svg+xml'] as const;

/**
 * Adds an ETag to every JSON answer to GET and HEAD, and to feeds and badges. Answers 304 without a body when the client has the current
 * version.
 */
export const tagAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type'));
    const isTagged = TAGGED.some((one) => type.startsWith(one));
    if (!['GET', 'HEAD'].includes(request.method) || reply.statusCode !== 200 || !isTagged) return payload;
    // Only the client may cache the answer, and it must revalidate each time, unless the call decides otherwise.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache');
    const { changedByRuns } = request.routeOptions.config;
    // writeJson writes a long answer in parts, and sets its ETag.
    const etag = typeof payload === 'string' ? etagOf(payload, changedByRuns) : reply.getHeader('etag');
    if (typeof etag !== 'string') return payload;
    reply.header('etag', etag);
    // An ETag over some of the fields can't prove that the others are unchanged.
    if (request.method === 'HEAD' || changedByRuns !== undefined) return payload;
    const known = request.headers['if-none-match'];
    if (known === undefined || !namesEtag(known, etag)) return payload;
    if (payload instanceof Readable) payload.destroy();
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return null;
  });
};
