import type { FastifyRequest } from 'fastify';
import { type AnswerSchema, serializerOf } from './answer-schema.ts';
import { ApiError } from './api-error.ts';
import { etagOf, namesEtag } from './etag.ts';
import { etagInSlices } from './json-answer.ts';

/** What the caller believes that they change, as `If-Match` says. */
export interface Precondition {
  /**
   * Holds the belief against the object as it is now; must be asked while nobody else can change it.
   * @param current answers the object as a GET would answer it to this caller; asked only where it is needed
   * @throws conflict when somebody was quicker
   */
  check(current: () => unknown): Promise<void>;
}

/** The GET call of the same address, whose ETag `If-Match` is compared with. */
export interface Sibling {
  readonly schema: AnswerSchema;
  readonly changedByRuns: readonly string[] | undefined;
}

/** @param sibling undefined when the address has no GET call */
export const preconditionOf = (request: FastifyRequest, sibling: Sibling | undefined): Precondition => ({
  check: async (current) => {
    const header = request.headers['if-match'];
    if (header === undefined || sibling === undefined) return;
    const answer = await current();
    const { schema, changedByRuns } = sibling;
    const etag = changedByRuns
      ? etagOf(serializerOf(schema)(answer), changedByRuns)
      : await etagInSlices(answer, schema);
    if (!namesEtag(header, etag)) throw new ApiError('conflict.changed');
  },
});
