import { describe, expect, it } from 'vitest';
import type { Json } from '../schemas.ts';
import { type Change, call, locationsAfter, PATH, remove, shape } from './sample-change.ts';

const ADDITIONS: readonly (readonly [what: string, change: Change])[] = [
  ['nothing at all', () => undefined],
  [
    'a new call',
    (d) => {
      d.paths[PATH].delete = { operationId: 'deleteItem', 'x-permission': 'admin', parameters: [], responses: {} };
    },
  ],
  ['a right that is no longer asked for', (d) => Object.assign(call(d, 'post'), { 'x-permission': 'project' })],
  ['a call that everybody may make', (d) => Object.assign(call(d, 'get'), { 'x-permission': 'anyone' })],
  [
    'a parameter that may be left out',
    (d) => call(d, 'get').parameters.push({ name: 'sort', in: 'query', required: false, schema: { type: 'string' } }),
  ],
  ['a higher maximum', (d) => Object.assign((call(d, 'get').parameters[1] as Json).schema as Json, { maximum: 2000 })],
  ['a longer body', (d) => Object.assign(call(d, 'post').requestBody, { 'x-max-bytes': 2000 })],
  ['a body that may be left out', (d) => Object.assign(call(d, 'post').requestBody, { required: false })],
  [
    'one more error',
    (d) => {
      call(d, 'get').responses[429] = { 'x-codes': ['too_many'] };
    },
  ],
  [
    'one error less',
    (d) => {
      delete call(d, 'get').responses[404];
    },
  ],
  [
    'one more field of an answer',
    (d) => {
      shape(d, 'Item').properties.size = { type: 'number' };
    },
  ],
  [
    'a field that is never null any more',
    (d) => {
      shape(d, 'Item').properties.note = { type: 'string' };
    },
  ],
  [
    'one more value of an answer',
    (d) => {
      shape(d, 'Item').properties.state = { type: 'string', enum: ['on', 'off', 'broken'] };
    },
  ],
  [
    'one form of an answer less',
    (d) => {
      shape(d, 'Item').properties.extra = { $ref: '#/components/schemas/A' };
    },
  ],
  [
    'an input that may be given',
    (d) => {
      shape(d, 'NewItem').properties.colour = { type: 'string' };
    },
  ],
  ['an input that may be left out', (d) => remove(shape(d, 'NewItem').required, 'name')],
  [
    'one more value that is taken',
    (d) => {
      shape(d, 'NewItem').properties.mode = { type: 'string', enum: ['slow', 'fast', 'faster'], default: 'slow' };
    },
  ],
  [
    'any text where there was a list',
    (d) => {
      shape(d, 'NewItem').properties.mode = { type: 'string', default: 'slow' };
    },
  ],
  ['a longer text', (d) => Object.assign(shape(d, 'NewItem').properties.name ?? {}, { maxLength: 200, minLength: 0 })],
  ['a type more', (d) => Object.assign(shape(d, 'NewItem').properties.name ?? {}, { type: ['string', 'null'] })],
  ['a pattern less', (d) => Object.assign(shape(d, 'NewItem').properties.tags ?? {}, { items: { type: 'string' } })],
  [
    'a form more that is taken',
    (d) => {
      (shape(d, 'NewItem').properties.target?.anyOf as Json[] | undefined)?.push({ type: 'number' });
    },
  ],
  [
    'other text',
    (d) => {
      Object.assign(shape(d, 'Item').properties.name ?? {}, { description: 'Its name.' });
      Object.assign(call(d, 'get'), { summary: 'All items.' });
    },
  ],
  [
    'another name of a shape',
    (d) => {
      d.components.schemas.Thing = d.components.schemas.Item ?? {};
      delete d.components.schemas.Item;
      call(d, 'get').responses[200] = {
        content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } } },
      };
      call(d, 'post').responses[201] = {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
      };
    },
  ],
];

describe('a change that breaks no client', () => {
  it.each(ADDITIONS)('is %s', (_what, change) => expect(locationsAfter(change)).toEqual([]));
});
