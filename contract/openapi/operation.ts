import type { z } from 'zod';
import { ERRORS, type ErrorKind } from '../src/errors.ts';
import { bytesText, DEFAULT_BODY_LIMIT } from '../src/limits.ts';
import { RETRY_AFTER_SECONDS } from '../src/messages/errors.ts';
import type { Permission, RouteShape } from '../src/route.ts';
import { ROUTE_TABLE } from '../src/route-table.ts';
import { callKindOf, scopesPermit, TokenScope } from '../src/token-scope.ts';
import { ERROR_DESCRIPTIONS } from './error-descriptions.ts';
import { describeParameter } from './field-descriptions.ts';
import { INSTEAD_DESCRIPTIONS } from './instead-descriptions.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';
import type { Json, SchemaBook } from './schemas.ts';
import { tagOf } from './tags.ts';

const whoMay = (permission: Permission): string => {
  switch (permission.kind) {
    case 'anyone':
      return 'Anyone.';
    case 'user':
      return 'All signed-in users.';
    case 'create_project':
      return 'System admins, and users who may create projects.';
    case 'self':
      return 'The user in the path, and system admins.';
    case 'admin':
      return 'System admins.';
    case 'project':
      return permission.right
        ? `Members of the project with the right \`${permission.right}\`.`
        : 'Members of the project.';
  }
};

/** The scopes of API tokens that permit a call. */
const scopesFor = (route: RouteShape): TokenScope[] =>
  TokenScope.options.filter((scope) => scopesPermit([scope], callKindOf(route)));

/** Whether a change accepts `If-Match`, which requires a GET of the same path. */
const takesIfMatch = ({ method, path }: RouteShape): boolean =>
  (method === 'PUT' || method === 'DELETE') &&
  (Object.values(ROUTE_TABLE) as RouteShape[]).some((one) => one.method === 'GET' && one.path === path);

/** The errors of a route: its own, and those of its permission and its inputs. */
export const errorsOf = (route: RouteShape): ErrorKind[] => {
  const codes = new Set<ErrorKind>(route.errors ?? []);
  if (route.permission.kind !== 'anyone') codes.add('not_signed_in');
  if (route.permission.kind !== 'anyone' && !route.withoutSecondFactor) codes.add('second_factor_due');
  if (route.permission.kind === 'project') codes.add('not_found');
  // An API token may be restricted to other calls.
  if (route.permission.kind !== 'anyone') codes.add('not_permitted');
  if (route.params || route.query || route.body) codes.add('bad_input');
  if (route.body)
    for (const code of ['bad_json', 'wrong_content_type', 'too_large', 'too_slow'] as const) codes.add(code);
  if (route.method !== 'GET' && !route.rawBody) codes.add('wrong_origin');
  if (takesIfMatch(route)) codes.add('conflict');
  // Almost every call uses the database, which may be unavailable.
  if (route.permission.kind !== 'anyone' || route.body || route.rawBody) codes.add('unavailable').add('internal');
  return [...codes];
};

/** Streams that are written at once, and have an ETag. */
const TAGGED_STREAMS: readonly string[] = ['application/json', 'application/atom+xml', 'image/svg+xml'];

/** Whether the responses of a route have an ETag: JSON that is not streamed, feeds and images. */
const hasEtag = (route: RouteShape): boolean => {
  if (route.method !== 'GET' || typeof route.answer === 'string') return false;
  if ('stream' in route.answer) return TAGGED_STREAMS.includes(route.answer.stream);
  return (route.answer as z.ZodType).meta()?.stream !== true;
};

/** Whether an unchanged ETag proves that the whole response is unchanged, so that the call can respond with 304. */
const answersNotModified = (route: RouteShape): boolean => hasEtag(route) && route.changedByRuns === undefined;

const parameters = (route: RouteShape, book: SchemaBook): Json[] => {
  const own = (['path', 'query'] as const).flatMap((location) => {
    const object = location === 'path' ? route.params : route.query;
    return Object.entries(object?.shape ?? {}).map(([name, schema]) => {
      const required = location === 'path' || !(schema as z.ZodType).safeParse(undefined).success;
      const description = (schema as z.ZodType).description ?? describeParameter(location, name);
      const added = book.add(schema as z.ZodType, 'input');
      delete added.description;
      return { name, in: location, required, ...(description ? { description } : {}), schema: added };
    });
  });
  const conditions = [
    ...(answersNotModified(route) ? ['IfNoneMatch'] : []),
    ...(takesIfMatch(route) ? ['IfMatch'] : []),
  ];
  return [...own, ...conditions.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
};

/** Lists the fields of Semaphore UI clients that the call refuses instead of ignoring. */
const refusalText = ({ refuses }: RouteShape): string[] => {
  if (!refuses) return [];
  const fields = Object.entries(refuses).map(([name, { instead, accepted }]) => {
    const values = accepted?.filter((value) => value !== '').map((value) => `\`${String(value)}\``);
    return `- \`${name}\`${values ? ` (accepted: ${values.join(', ')})` : ''}: ${INSTEAD_DESCRIPTIONS[instead]}.`;
  });
  return ['Fields that are refused with 400 unless they are null or empty:', ...fields];
};

const requestBody = (name: string, route: RouteShape, book: SchemaBook): Json => {
  const limit = route.bodyLimit ?? DEFAULT_BODY_LIMIT;
  if (route.rawBody)
    return {
      requestBody: {
        required: false,
        description: `At most ${bytesText(limit)}.`,
        content: { '*/*': { schema: {} } },
        'x-max-bytes': limit,
      },
    };
  if (!route.body) return {};
  const example = REQUEST_EXAMPLES[name as keyof typeof REQUEST_EXAMPLES];
  return {
    requestBody: {
      required: !route.body.safeParse(undefined).success,
      description: [`JSON of at most ${bytesText(limit)}.`, ...refusalText(route)].join('\n'),
      content: {
        'application/json': {
          schema: book.add(route.body, 'input'),
          ...(example === undefined ? {} : { example }),
        },
      },
      'x-max-bytes': limit,
      ...(route.refuses ? { 'x-refused-fields': Object.keys(route.refuses) } : {}),
    },
  };
};

const success = (name: string, route: RouteShape, book: SchemaBook): Json => {
  const headers = {
    ...(hasEtag(route) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(route.paged ? { 'X-Has-Next': { $ref: '#/components/headers/HasNext' } } : {}),
    ...(name === 'signIn' || name === 'enterSecondFactor' || name === 'signOut'
      ? { 'Set-Cookie': { $ref: '#/components/headers/SessionCookie' } }
      : {}),
  };
  const more = Object.keys(headers).length > 0 ? { headers } : {};
  if (route.answer === 'nothing') return { description: 'Success without a body.', ...more };
  if ('stream' in route.answer) {
    const schema = { type: route.answer.stream === 'application/json' ? 'object' : 'string' };
    return { description: 'The response.', ...more, content: { [route.answer.stream]: { schema } } };
  }
  return {
    description: route.status === 201 ? 'The stored object.' : 'The response.',
    ...more,
    content: { 'application/json': { schema: book.add(route.answer, 'output') } },
  };
};

const failures = (route: RouteShape): Json => {
  const byStatus = Map.groupBy(errorsOf(route), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${ERROR_DESCRIPTIONS[code]}.`).join('\n'),
          ...(codes.some((code) => code in RETRY_AFTER_SECONDS)
            ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
            : {}),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorAnswer' } } },
          'x-codes': codes,
        },
      ]),
  );
};

/** The OpenAPI operation of a call. Its schemas are added to `book`. */
export const describeCall = (name: string, route: RouteShape, book: SchemaBook): Json => {
  const { permission } = route;
  return {
    operationId: name,
    tags: [tagOf(route.path)],
    summary: route.doc,
    description: `Allowed for: ${whoMay(permission)}${permission.kind === 'anyone' ? '' : ` Scopes of API tokens: ${scopesFor(route).join(', ')}.`}`,
    ...(permission.kind === 'anyone' ? { security: [] } : {}),
    parameters: parameters(route, book),
    ...requestBody(name, route, book),
    responses: {
      [route.status]: success(name, route, book),
      ...(route.mayAccept ? { 202: { ...success(name, route, book), description: 'The call started work.' } } : {}),
      ...(answersNotModified(route) ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...failures(route),
    },
    ...(permission.kind === 'anyone' ? {} : { 'x-token-scopes': scopesFor(route) }),
    'x-permission': 'right' in permission ? `${permission.kind}:${permission.right}` : permission.kind,
  };
};
