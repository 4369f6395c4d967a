import { ErrorAnswer } from '../src/errors.ts';
import type { RouteShape } from '../src/route.ts';
import { ROUTE_TABLE } from '../src/route-table.ts';
import { describeCall } from './operation.ts';
import { type Json, SchemaBook } from './schemas.ts';
import { describeTags, tagOf } from './tags.ts';

export type { Json } from './schemas.ts';

const ABOUT = `Calls use JSON over HTTP. Programs send an API token as \`Authorization: Bearer <token>\`; browsers send a session cookie.
Every error response is \`{"error": "<message>", "code": "<stable code>"}\`; for a form it also has \`fields\` and \`field_codes\`. A code is one of the codes of the call, optionally followed by a dot and a detail. Times are RFC 3339 in UTC with milliseconds.
Unknown fields are ignored. Texts must not contain NUL characters. Formats such as \`name\`, \`cron\`, \`git-url\`, \`json-object\` or \`json-texts\` (a JSON array of strings) describe the content of a text.
A later version may add fields to responses and values to enums: ignore what you don't know.`;

const components = (): Json => ({
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: 'signalbox_session', description: 'Set by signing in.' },
    token: { type: 'http', scheme: 'bearer', description: 'An API token with the permissions of its user.' },
  },
  parameters: {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'ETag of a previous response. If it is still current, the response is 304 without a body.',
      schema: { type: 'string' },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'ETag of the object when it was read. If the object has changed since, the response is 409 and nothing is changed.',
      schema: { type: 'string' },
    },
  },
  headers: {
    ETag: { description: 'Identifies this state of the response.', schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    HasNext: {
      description: '`true` if another page follows.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    SessionCookie: { description: 'The session cookie, and a marker cookie for the page.', schema: { type: 'string' } },
  },
  responses: { NotModified: { description: 'The previous response is still current.' } },
});

export interface DocumentOptions {
  /** Version of the product. */
  readonly version?: string;
  /** Path prefix of the product, without a trailing slash. */
  readonly pathPrefix?: string;
}

/** The OpenAPI 3.1 document, made from the route table. */
export const makeOpenApi = ({ version = '0.1.0', pathPrefix = '' }: DocumentOptions = {}): Json => {
  const book = new SchemaBook();
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const [name, route] of Object.entries(ROUTE_TABLE as Record<string, RouteShape>)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeCall(name, route, book) };
    tags.add(tagOf(route.path));
  }
  book.add(ErrorAnswer, 'output');
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
