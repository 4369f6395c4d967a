import { jsonDepth, MAX_JSON_DEPTH } from '@signalbox/contract';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** Keys that would reach into JavaScript's own objects. */
const isPoisoned = (key: string): boolean => key === '__proto__';

/** The only body type there is: JSON, not deeper than anything we store, without keys that poison objects. */
export const acceptOnlyJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') {
      done(null, undefined);
      return;
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(body as string);
    } catch {
      done(new ApiError('bad_json', 'The body is not valid JSON.'));
      return;
    }
    if (jsonDepth(parsed) > MAX_JSON_DEPTH) {
      done(new ApiError('bad_json', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`));
      return;
    }
    if (typeof parsed === 'object' && parsed !== null && Object.keys(parsed).some(isPoisoned)) {
      done(new ApiError('bad_json', 'The body must not have a key named __proto__.'));
      return;
    }
    done(null, parsed);
  });
};
