import type { Json } from '../schemas.ts';
import { findBreaks } from './find-breaks.ts';

/** A small document with one example of everything that can change. */
const makeDocument = () => ({
  paths: {
    '/project/{project_id}/items': {
      get: {
        operationId: 'listItems',
        'x-permission': 'project',
        parameters: [
          { name: 'project_id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 1000 } },
          { $ref: '#/components/parameters/IfNoneMatch' },
        ] as Json[],
        responses: {
          200: {
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
            },
          },
          304: { $ref: '#/components/responses/NotModified' },
          404: { content: {}, 'x-codes': ['not_found'] },
        } as Record<string, Json>,
      },
      post: {
        operationId: 'createItem',
        'x-permission': 'project:run_tasks',
        parameters: [] as Json[],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewItem' } } },
          'x-max-bytes': 1000,
        } as Json | undefined,
        responses: {
          201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } },
          409: { content: {}, 'x-codes': ['conflict', 'in_use'] },
        } as Record<string, Json>,
      },
    } as Record<string, Json>,
  },
  components: {
    parameters: { IfNoneMatch: { name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } } },
    responses: { NotModified: { description: 'As before.' } },
    schemas: {
      Item: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          note: { type: ['string', 'null'] },
          state: { type: 'string', enum: ['on', 'off'] },
          made: { type: 'string', format: 'date-time' },
          parts: {
            type: 'array',
            items: { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] },
          },
          pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
          counts: { type: 'object', additionalProperties: { type: 'integer' } },
          extra: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] },
        } as Record<string, Json>,
        required: ['id', 'name', 'note', 'state', 'made', 'parts', 'pair', 'counts', 'extra'],
      },
      NewItem: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 100 },
          mode: { type: 'string', enum: ['slow', 'fast'], default: 'slow' },
          size: { type: ['number', 'null'], minimum: 0, maximum: 10 },
          tags: { type: 'array', maxItems: 5, items: { type: 'string', pattern: '^a' } },
          target: { anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: 'string' } } }] },
        } as Record<string, Json>,
        required: ['name'],
      },
      A: {
        type: 'object',
        properties: { kind: { const: 'a' }, value: { type: 'string' } },
        required: ['kind', 'value'],
      },
      B: { type: 'object', properties: { kind: { const: 'b' }, amount: { type: 'number' } }, required: ['kind'] },
    } as Record<string, Json>,
  },
});
export type SampleDocument = ReturnType<typeof makeDocument>;

export const PATH = '/project/{project_id}/items';
export const call = (document: SampleDocument, method: 'get' | 'post') =>
  document.paths[PATH][method] as Json & {
    parameters: Json[];
    requestBody: Json;
    responses: Record<string, Json>;
  };
export const shape = (document: SampleDocument, name: string) =>
  document.components.schemas[name] as { properties: Record<string, Json>; required: string[]; oneOf?: Json[] };
export const remove = (all: string[], one: string): void => void all.splice(all.indexOf(one), 1);

export const locationsAfter = (change: (document: SampleDocument) => void): string[] => {
  const after = makeDocument();
  change(after);
  return findBreaks(makeDocument() as Json, after as Json).map(({ location }) => location);
};

export type Change = (document: SampleDocument) => void;
