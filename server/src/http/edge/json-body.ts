import { type Readable, Transform } from 'node:stream';
import { JsonShape, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@signalbox/contract';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { bearerOf } from './session-gate.ts';

/** A body stream for Fastify, which compares `receivedEncodedLength` with the `Content-Length` header. */
type Payload = Readable & { receivedEncodedLength?: number };

/** Keys that would change the prototypes of JavaScript objects. */
const isPoisoned = (key: string): boolean => key === '__proto__';

const shapeError = ({ depth, values, keys }: JsonShape): ApiError | undefined => {
  if (depth > MAX_JSON_DEPTH) return new ApiError('bad_json.too_deep', { max: MAX_JSON_DEPTH });
  if (values > MAX_JSON_VALUES || keys > MAX_JSON_VALUES)
    return new ApiError('bad_json.too_many_values', { max: MAX_JSON_VALUES });
  return undefined;
};

/**
 * Checks the shape of a body chunk by chunk while it arrives. Parsing blocks the event loop and takes far more memory
 * than the text, so a body with too many values or too deep nesting is refused before it is parsed.
 */
const checkedShape = (payload: Payload): Payload => {
  const shape = new JsonShape();
  const checked: Payload & Transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checked.receivedEncodedLength = (checked.receivedEncodedLength ?? 0) + chunk.length;
      // The structural characters of JSON are ASCII, so a character that is split between chunks does not matter.
      shape.add(chunk.toString('latin1'));
      const error = shapeError(shape);
      if (error) done(error);
      else done(null, chunk);
    },
  });
  payload.on('error', (error) => checked.destroy(error));
  // Fastify removes its listeners once the body is too long; an error without a listener would end the process.
  checked.on('error', () => undefined);
  return payload.pipe(checked);
};

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const JSON_TYPE = 'application/json';

/**
 * Treats a body without a content type as JSON when the call carries an API token, because several clients send none. A
 * page of another site can't send a token, so it can't bypass the check of the content type.
 */
const assumeJson = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody && headers['content-type'] === undefined && bearerOf(headers) !== undefined)
      headers['content-type'] = JSON_TYPE;
    done();
  });
};

/** Accepts only JSON bodies, with limited depth and number of values, and without keys that pollute prototypes. */
export const acceptOnlyJson = (app: FastifyInstance): void => {
  assumeJson(app);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    done(null, WITHOUT_BODY.has(request.method) ? payload : checkedShape(payload as Payload));
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') {
      done(null, undefined);
      return;
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(body as string);
    } catch {
      done(new ApiError('bad_json'));
      return;
    }
    if (typeof parsed === 'object' && parsed !== null && Object.keys(parsed).some(isPoisoned)) {
      done(new ApiError('bad_json.forbidden_key', { key: '__proto__' }));
      return;
    }
    done(null, parsed);
  });
};

/** Accepts bodies of every content type as bytes, for calls whose signature covers the bytes. */
export const acceptRawBodies = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
};
