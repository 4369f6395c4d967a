import type { FastifyRequest } from 'fastify';
import { type AnswerSchema, serializerOf } from '../calls/answer-schema.ts';
import { etagInSlices } from '../calls/json-answer.ts';
import { ApiError } from '../errors/api-error.ts';
import { etagOf, namesEtag } from './etag.ts';

/** The version that the caller expects to change, from `If-Match`. */
export interface Precondition {
  /**
   * Compares the expected version with the current object. Must be called while no other call can change the object.
   * @param current returns the object as a GET would answer it to this caller; called only if needed
   * @throws conflict when the object has changed
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
