import { z } from 'zod';
import { ERRORS, ErrorAnswer, type ErrorCode } from '../src/errors.ts';
import type { Permission, RouteShape } from '../src/route.ts';
import { ROUTE_TABLE } from '../src/route-table.ts';

type Json = Record<string, unknown>;

const override = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void => {
  const openapi = z.globalRegistry.get(zodSchema)?.openapi;
  if (openapi) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, openapi);
  }
};

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override });
  return rest;
};

const whoMay = (permission: Permission): string => {
  switch (permission.kind) {
    case 'anyone':
      return 'Anyone.';
    case 'user':
      return 'Every signed-in user.';
    case 'create_project':
      return 'System admins and users who may create projects.';
    case 'self':
      return 'The user themself and system admins.';
    case 'admin':
      return 'System admins.';
    case 'project':
      return permission.right
        ? `Members of the project with the right \`${permission.right}\`.`
        : 'Members of the project.';
  }
};

/** The errors of a route: its own, and those that follow from its permission and its inputs. */
export const errorsOf = (route: RouteShape): ErrorCode[] => {
  const codes = new Set<ErrorCode>(route.errors ?? []);
  if (route.permission.kind !== 'anyone') codes.add('not_signed_in');
  if (route.permission.kind === 'project') codes.add('not_found');
  if (route.permission.kind === 'project' && route.permission.right) codes.add('not_permitted');
  if (['admin', 'self', 'create_project'].includes(route.permission.kind)) codes.add('not_permitted');
  if (route.params || route.query || route.body) codes.add('bad_input');
  if (route.body) for (const code of ['bad_json', 'wrong_content_type', 'too_large'] as const) codes.add(code);
  if (route.method !== 'GET') codes.add('wrong_origin');
  return [...codes];
};

const parameters = (route: RouteShape): Json[] =>
  (['path', 'query'] as const).flatMap((place) => {
    const object = place === 'path' ? route.params : route.query;
    return Object.entries(object?.shape ?? {}).map(([name, schema]) => {
      const { description, ...rest } = jsonSchema(schema as z.ZodType, 'input');
      const required = place === 'path' || !(schema as z.ZodType).safeParse(undefined).success;
      return { name, in: place, required, ...(description ? { description } : {}), schema: rest };
    });
  });

const success = (route: RouteShape): Json => {
  if (route.answer === 'nothing') return { description: 'Done.' };
  if ('stream' in route.answer)
    return { description: 'The text.', content: { [route.answer.stream]: { schema: { type: 'string' } } } };
  return {
    description: 'The answer.',
    content: { 'application/json': { schema: jsonSchema(route.answer, 'output') } },
  };
};

const failures = (route: RouteShape): Json => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route))
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: `Codes: ${codes.join(', ')}.`,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  );
};

/** The OpenAPI 3.1 description of every call, made from the route table alone. */
export const makeOpenApi = (): Json => {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(ROUTE_TABLE as Record<string, RouteShape>)) {
    const calls: Json = paths[route.path] ?? {};
    paths[route.path] = calls;
    calls[route.method.toLowerCase()] = {
      operationId: name,
      summary: route.doc,
      description: `Allowed for: ${whoMay(route.permission)}`,
      ...(route.permission.kind === 'anyone' ? { security: [] } : {}),
      parameters: parameters(route),
      ...(route.body
        ? {
            requestBody: {
              required: !route.body.safeParse(undefined).success,
              content: { 'application/json': { schema: jsonSchema(route.body, 'input') } },
            },
          }
        : {}),
      responses: { [route.status]: success(route), ...failures(route) },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Signalbox', version: '0.1.0', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api' }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'signalbox_session' } },
      schemas: { Error: jsonSchema(ErrorAnswer, 'output') },
    },
  };
};
