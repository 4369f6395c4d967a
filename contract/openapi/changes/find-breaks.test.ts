import { describe, expect, it } from 'vitest';
import type { Json } from '../schemas.ts';
import { type Change, call, locationsAfter, PATH, remove, shape } from './sample-change.ts';

const BREAKS: readonly (readonly [what: string, location: string, change: Change])[] = [
  ['a call that was removed', 'createItem', (d) => delete d.paths[PATH].post],
  ['a path that was removed', 'listItems', (d) => Object.assign(d, { paths: { '/other': d.paths[PATH] } })],
  ['a call with another name', 'createItem', (d) => Object.assign(call(d, 'post'), { operationId: 'addItem' })],
  [
    'a right that is asked for now',
    'listItems',
    (d) => Object.assign(call(d, 'get'), { 'x-permission': 'project:manage_resources' }),
  ],
  ['another right', 'createItem', (d) => Object.assign(call(d, 'post'), { 'x-permission': 'project:manage_users' })],
  ['a call for admins alone', 'listItems', (d) => Object.assign(call(d, 'get'), { 'x-permission': 'admin' })],
  ['a parameter that was removed', 'listItems query.limit', (d) => call(d, 'get').parameters.splice(1, 1)],
  [
    'a parameter that is required now',
    'listItems query.limit',
    (d) => Object.assign(call(d, 'get').parameters[1] ?? {}, { required: true }),
  ],
  [
    'a new parameter that is required',
    'createItem query.why',
    (d) => call(d, 'post').parameters.push({ name: 'why', in: 'query', required: true, schema: { type: 'string' } }),
  ],
  [
    'a parameter with a lower maximum',
    'listItems query.limit',
    (d) => Object.assign((call(d, 'get').parameters[1] as Json).schema as Json, { maximum: 200 }),
  ],
  [
    'a parameter of another type',
    'listItems query.limit',
    (d) => Object.assign((call(d, 'get').parameters[1] as Json).schema as Json, { type: 'boolean' }),
  ],
  [
    'a body that may be less long',
    'createItem body',
    (d) => Object.assign(call(d, 'post').requestBody, { 'x-max-bytes': 999 }),
  ],
  [
    'a body that is no longer taken',
    'createItem body',
    (d) => Object.assign(call(d, 'post'), { requestBody: undefined }),
  ],
  [
    'a body of another kind',
    'createItem body',
    (d) =>
      Object.assign(call(d, 'post').requestBody, {
        content: { 'text/plain': { schema: { $ref: '#/components/schemas/NewItem' } } },
      }),
  ],
  [
    'a body where none was',
    'listItems body',
    (d) => Object.assign(call(d, 'get'), { requestBody: { required: true, content: {} } }),
  ],
  [
    'another status of a success',
    'createItem 201',
    (d) => {
      const { responses } = call(d, 'post');
      responses[200] = responses[201] ?? {};
      delete responses[201];
    },
  ],
  [
    'another status of an error',
    'createItem in_use',
    (d) => {
      call(d, 'post').responses[409] = { 'x-codes': ['conflict'] };
      call(d, 'post').responses[423] = { 'x-codes': ['in_use'] };
    },
  ],
  [
    'an answer of another kind',
    'createItem 201',
    (d) => {
      call(d, 'post').responses[201] = { content: { 'text/plain': { schema: { type: 'string' } } } };
    },
  ],
  [
    'an answer without a body',
    'createItem 201',
    (d) => {
      call(d, 'post').responses[201] = {};
    },
  ],
  [
    'a list that is no list any more',
    'listItems 200',
    (d) => {
      call(d, 'get').responses[200] = { content: { 'application/json': { schema: { type: 'object' } } } };
    },
  ],
  [
    'a field that is no longer answered',
    'Item.name',
    (d) => {
      delete shape(d, 'Item').properties.name;
      remove(shape(d, 'Item').required, 'name');
    },
  ],
  ['a field that may be missing', 'Item.name', (d) => remove(shape(d, 'Item').required, 'name')],
  [
    'a field of another type',
    'Item.id',
    (d) => {
      shape(d, 'Item').properties.id = { type: 'string' };
    },
  ],
  [
    'a whole number that may be a fraction',
    'Item.id',
    (d) => {
      shape(d, 'Item').properties.id = { type: 'number' };
    },
  ],
  [
    'a field that may be null',
    'Item.name',
    (d) => {
      shape(d, 'Item').properties.name = { type: ['string', 'null'] };
    },
  ],
  [
    'a field that may be anything',
    'Item.name',
    (d) => {
      shape(d, 'Item').properties.name = {};
    },
  ],
  [
    'a moment that is none any more',
    'Item.made',
    (d) => {
      shape(d, 'Item').properties.made = { type: 'string' };
    },
  ],
  [
    'a field deep within',
    'Item.parts[].size',
    (d) => {
      shape(d, 'Item').properties.parts = { type: 'array', items: { type: 'object', properties: {} } };
    },
  ],
  [
    'a part of a pair',
    'Item.pair[1]',
    (d) => {
      shape(d, 'Item').properties.pair = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] };
    },
  ],
  [
    'a value of a map',
    'Item.counts.*',
    (d) => {
      shape(d, 'Item').properties.counts = { type: 'object', additionalProperties: { type: 'string' } };
    },
  ],
  [
    'a field of one form of a choice',
    'A.value',
    (d) => {
      delete shape(d, 'A').properties.value;
      remove(shape(d, 'A').required, 'value');
    },
  ],
  [
    'one more form of an answer',
    'Item.extra',
    (d) => {
      (shape(d, 'Item').properties.extra?.oneOf as Json[] | undefined)?.push({
        type: 'object',
        properties: { kind: { const: 'c' } },
        required: ['kind'],
      });
    },
  ],
  ['an input that is no longer taken', 'NewItem.tags', (d) => delete shape(d, 'NewItem').properties.tags],
  ['an input that is required now', 'NewItem.size', (d) => shape(d, 'NewItem').required.push('size')],
  [
    'a new input that is required',
    'NewItem.colour',
    (d) => {
      shape(d, 'NewItem').properties.colour = { type: 'string' };
      shape(d, 'NewItem').required.push('colour');
    },
  ],
  [
    'a value that is no longer taken',
    'NewItem.mode',
    (d) => {
      shape(d, 'NewItem').properties.mode = { type: 'string', enum: ['fast'], default: 'slow' };
    },
  ],
  [
    'a text of which only some values are taken',
    'NewItem.name',
    (d) => {
      shape(d, 'NewItem').properties.name = { type: 'string', minLength: 1, maxLength: 100, enum: ['a'] };
    },
  ],
  [
    'null that is no longer taken',
    'NewItem.size',
    (d) => {
      shape(d, 'NewItem').properties.size = { type: 'number', minimum: 0, maximum: 10 };
    },
  ],
  [
    'a shorter text',
    'NewItem.name',
    (d) => Object.assign(shape(d, 'NewItem').properties.name ?? {}, { maxLength: 99 }),
  ],
  [
    'a longer text at least',
    'NewItem.name',
    (d) => Object.assign(shape(d, 'NewItem').properties.name ?? {}, { minLength: 2 }),
  ],
  ['a lower number', 'NewItem.size', (d) => Object.assign(shape(d, 'NewItem').properties.size ?? {}, { maximum: 9 })],
  ['fewer items', 'NewItem.tags', (d) => Object.assign(shape(d, 'NewItem').properties.tags ?? {}, { maxItems: 4 })],
  [
    'another pattern',
    'NewItem.tags[]',
    (d) => Object.assign(shape(d, 'NewItem').properties.tags ?? {}, { items: { type: 'string', pattern: '^b' } }),
  ],
  [
    'another meaning of what is left out',
    'NewItem.mode',
    (d) => Object.assign(shape(d, 'NewItem').properties.mode ?? {}, { default: 'fast' }),
  ],
  [
    'a form that is no longer taken',
    'NewItem.target',
    (d) => {
      shape(d, 'NewItem').properties.target = { type: 'string' };
    },
  ],
];

describe('a breaking change', () => {
  it.each(BREAKS)('is %s', (_what, location, change) => expect(locationsAfter(change)).toContain(location));

  it('is reported once for a schema that many calls return', () => {
    expect(locationsAfter((document) => remove(shape(document, 'Item').required, 'name'))).toEqual(['Item.name']);
  });
});
