import { ErrorAnswer } from '../src/errors.ts';
import type { RouteShape } from '../src/route.ts';
import { ROUTE_TABLE } from '../src/route-table.ts';
import { describeCall } from './operation.ts';
import { type Json, SchemaBook } from './schemas.ts';
import { describeTags, tagOf } from './tags.ts';

export type { Json } from './schemas.ts';

const ABOUT = `Calls are JSON over HTTP. Programs send an API token as \`Authorization: Bearer <token>\`; browsers have the cookie of a session.
Every failure is \`{"error": "<one sentence>", "code": "<stable code>"}\`, for a form with \`fields\` and \`field_codes\`. A code is one of those of the call, or one of them, a dot and a detail. Times are RFC 3339 in UTC with milliseconds.
Fields that a call does not know are ignored. No text holds a NUL character. Formats such as \`name\`, \`cron\`, \`git-url\`, \`json-object\` or \`json-texts\` (a JSON array of texts) name what a text must be.
A later version may add fields to answers and words to lists: take what you know and leave the rest.`;

const components = (): Json => ({
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: 'signalbox_session', description: 'Set by signing in.' },
    token: { type: 'http', scheme: 'bearer', description: 'An API token; it carries the rights of its user.' },
  },
  parameters: {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'ETag of an answer that you have: while it still holds, the answer is 304 without a body.',
      schema: { type: 'string' },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'ETag of the object as you read it: when it was changed since, the answer is 409 and nothing is done.',
      schema: { type: 'string' },
    },
  },
  headers: {
    ETag: { description: 'Names this state of the answer.', schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    HasNext: {
      description: '`true` when the list goes on behind this page.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    SessionCookie: { description: 'The session, and a marker that the page reads.', schema: { type: 'string' } },
  },
  responses: { NotModified: { description: 'What you have still holds.' } },
});

export interface DocumentOptions {
  /** Version of the product. */
  readonly version?: string;
  /** Path that the product is served below, without a slash at its end. */
  readonly pathPrefix?: string;
}

/** The OpenAPI 3.1 description of every call, made from the route table alone. */
export const makeOpenApi = ({ version = '0.1.0', pathPrefix = '' }: DocumentOptions = {}): Json => {
  const book = new SchemaBook();
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const [name, route] of Object.entries(ROUTE_TABLE as Record<string, RouteShape>)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeCall(name, route, book) };
    tags.add(tagOf(route.path));
  }
  book.place(ErrorAnswer, 'output');
  return {
    openapi: '3.1.0',
    info: { title: 'Signalbox', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${pathPrefix}/api` }],
    security: [{ session: [] }, { token: [] }],
    tags: describeTags(tags),
    paths,
    components: { ...components(), schemas: book.finish() },
  };
};
