import type { FastifyReply, FastifyRequest } from 'fastify';
import { conflict } from './api-error.ts';
import { etagOf, namesEtag } from './etag.ts';

/** What the caller believes that they change, as `If-Match` says. */
export interface Precondition {
  /**
   * Holds the belief against the object as it is now; must be asked while nobody else can change it.
   * @param current answers the object as a GET would answer it to this caller; asked only where it is needed
   * @throws conflict when somebody was quicker
   */
  check(current: () => unknown): Promise<void>;
}

/** @param schema of the answer that a GET of the same address gives; undefined where there is no such GET. */
export const preconditionOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  schema: Record<string, unknown> | undefined,
): Precondition => ({
  check: async (current) => {
    const header = request.headers['if-match'];
    if (header === undefined || schema === undefined) return;
    const etag = etagOf(reply.serializeInput((await current()) as Record<string, unknown>, schema) as string);
    if (!namesEtag(header, etag)) throw conflict('This was changed meanwhile: load it again, then make your change.');
  },
});
