import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { RouteShape } from '../src/route.ts';
import { ROUTE_TABLE } from '../src/route-table.ts';
import { makeOpenApi } from './make-openapi.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';
import type { Json } from './schemas.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Json[];
  readonly responses: Readonly<Record<string, Json>>;
  readonly requestBody?: Json;
}

interface Document {
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> } & Readonly<Record<string, Json>>;
}

const make = (options?: Parameters<typeof makeOpenApi>[0]): Document => makeOpenApi(options) as unknown as Document;
const DOCUMENT = make();
const ROUTES = Object.entries(ROUTE_TABLE as Record<string, RouteShape>);
const OPERATIONS = Object.values(DOCUMENT.paths).flatMap((calls) => Object.values(calls));

/** Every object of the document with its path. */
const walk = (value: unknown, path: string): [string, Json][] => {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, part]) => walk(part, `${path}/${key}`));
  return Array.isArray(value) ? below : [[path, value as Json], ...below];
};
const objects = walk(DOCUMENT, '#');
const refs = objects.flatMap(([path, { $ref }]) => (typeof $ref === 'string' ? [{ path, ref: $ref }] : []));
const at = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], DOCUMENT);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const answer = await validator.validate(structuredClone(makeOpenApi()));
    expect(answer.errors ?? []).toEqual([]);
    expect(answer.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const broken = await new Validator().validate({ ...makeOpenApi(), paths: { '/x': { get: { responses: 1 } } } });
    expect(broken.valid).toBe(false);
  });

  it('has every call once, under one tag with a description', () => {
    expect(OPERATIONS.map(({ operationId }) => operationId).toSorted()).toEqual(
      ROUTES.map(([name]) => name).toSorted(),
    );
    const known = DOCUMENT.tags.map(({ name }) => name);
    for (const { operationId, tags } of OPERATIONS) {
      expect(tags, operationId).toHaveLength(1);
      expect(known, operationId).toContain(tags[0]);
    }
    expect(new Set(known).size).toBe(known.length);
  });

  it('has no broken reference and no unused component', () => {
    for (const { path, ref } of refs) expect(at(ref), `${path} -> ${ref}`).toBeTypeOf('object');
    const used = new Set(refs.map(({ ref }) => ref));
    for (const name of Object.keys(DOCUMENT.components.schemas)) {
      expect(used, name).toContain(`#/components/schemas/${name}`);
    }
  });

  it('describes every parameter and every field', () => {
    const silent = objects.flatMap(([path, { properties }]) =>
      typeof properties === 'object' && properties !== null && !path.includes('/example')
        ? Object.entries(properties as Record<string, Json>)
            .filter(([, property]) => typeof property.description !== 'string')
            .map(([name]) => `${path}: ${name}`)
        : [],
    );
    expect(silent, 'describe these in the contract, or in contract/openapi/field-descriptions.ts').toEqual([]);
    const bare = OPERATIONS.flatMap(({ operationId, parameters }) =>
      parameters
        .filter((one) => one.$ref === undefined && typeof one.description !== 'string')
        .map(({ name }) => `${operationId}: ${String(name)}`),
    );
    expect(bare, 'describe these in the contract, or in contract/openapi/field-descriptions.ts').toEqual([]);
  });

  it('has only patterns that common regular expression engines accept', () => {
    const patterns = objects.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect(pattern).not.toMatch(/\\[pu]|\(\?/);
  });

  it('accepts fields that a later version adds to responses', () => {
    for (const [path, schema] of objects) expect(schema.additionalProperties, path).not.toBe(false);
  });

  it('has the requested server address and version', () => {
    const { servers, info } = make({ pathPrefix: '/box', version: '1.2.3' });
    expect(servers).toEqual([{ url: '/box/api' }]);
    expect(info.version).toBe('1.2.3');
    const product = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Json;
    expect(DOCUMENT.info.version).toBe(product.version);
  });
});

describe('the example of a request body', () => {
  it.each(Object.entries(REQUEST_EXAMPLES))('of %s is accepted by the schema of the call', (name, example) => {
    const route = (ROUTE_TABLE as Record<string, RouteShape>)[name];
    expect(route?.body?.safeParse(example).error).toBeUndefined();
  });

  it('exists for every call that creates an object', () => {
    const without = ROUTES.filter(([name, { body }]) => body && !(name in REQUEST_EXAMPLES)).map(([name]) => name);
    expect(without, 'give these one in contract/openapi/request-examples.ts').toEqual([]);
  });
});
