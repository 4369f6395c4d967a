import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';

type Json = z.core.JSONSchema.JSONSchema | boolean;

/** A text in every secret field. It must never be returned. */
export const CANARY = 'canary-5d1f0c';

const SECRET_FIELDS = new Set(['password', 'private_key', 'passphrase', 'secret']);

const TEXTS = [
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  '\u202eabc',
  "' or 1=1 --",
  '%s%n%x',
  '../../etc/passwd',
  '-x',
  '@/etc/passwd',
  '{{ 7*7 }}',
  '$(id)',
  '<script>',
  '[]',
  '{}',
  '{"__proto__":1}',
  'null',
  '1e400',
  '\u{1f682}'.repeat(300),
  'x'.repeat(20_000),
  'constructor',
  'toString',
  '\r\n',
  '{"a":"\\u0000"}',
  '9'.repeat(64),
  'İ',
  '\ufeff',
];
const NUMBERS = [0, -0, -1, 1.5, 2_147_483_647, 2_147_483_648, 2 ** 53, 1e300, 10_000, 10_001];
const ODD: readonly unknown[] = [null, true, [], {}, [[]], { length: 1 }, [null], { toString: 1 }];

/** Valid values for texts of a certain form. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  json: ['{"a":1}', '{}'],
  env: ['{"A":"b"}', '{}'],
  environment: ['{}', '{"count":3}'],
  arguments: ['["-v"]', '[]'],
  start_version: ['1.0.0', 'v7'],
  git_url: ['https://git.example/x.git', '/srv/git/x', 'git@git.example:x.git'],
  git_branch: ['main', 'release/2'],
  commit_hash: ['0123456789abcdef0123456789abcdef01234567'],
  cron_format: ['0 4 * * *', '@daily', '* * * * * *', '0 0 31 2 *'],
  playbook: ['site.yml', 'play/book.yml'],
  inventory: ['web-01', 'hosts/all.yml'],
  email: ['ana@example.com', 'bob@example.com'],
  limit: ['web-01', 'all:!db'],
};

/** Few small ids, so that requests meet objects of other requests. */
const id = fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.constantFrom(...NUMBERS));
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...ODD),
  fc.jsonValue(),
);

const text = (name: string): fc.Arbitrary<string> => {
  if (SECRET_FIELDS.has(name)) return fc.constantFrom(CANARY, `${CANARY}\nsecond line`, `  ${CANARY}`);
  const wild = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 60 }));
  const plain = fc.constantFrom(...(FITTING[name] ?? ['One', 'Two', 'three', `${name} 4`, `${name} 5`]));
  const fresh = FITTING[name] ? plain : fc.nat().map((n) => `${name} ${n}`);
  return fc.oneof({ weight: 8, arbitrary: plain }, { weight: 8, arbitrary: fresh }, { weight: 3, arbitrary: wild });
};

const fitting = (schema: z.core.JSONSchema.JSONSchema, name: string): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueFor(one, name)));
  if (name === 'id' || name.endsWith('_id')) return id;
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      if (fields.length === 0) return fc.dictionary(id.map(String), fc.integer({ min: 0, max: 20 }), { maxKeys: 4 });
      return fc.record(Object.fromEntries(fields.map(([key, field]) => [key, valueFor(field, key)])), {
        requiredKeys: (schema.required ?? []).filter((key) => fields.some(([field]) => field === key)),
      });
    }
    case 'array':
      return fc.array(valueFor(schema.items as Json, name), { maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(...NUMBERS));
    case 'null':
      return fc.constant(null);
    default:
      return text(name);
  }
};

/** Generates a value that usually fits a schema, and sometimes does not. */
const valueFor = (schema: Json, name: string): fc.Arbitrary<unknown> =>
  typeof schema === 'boolean' ? odd : fc.oneof({ weight: 40, arbitrary: fitting(schema, name) }, odd);

const ADDRESSES = ['0', '-1', '1e3', 'x', '%00', '%ff', '..%2f', '2147483648', '1%2f2', '%F0%9F%9A%82', '1;a'];
const pathPart = fc.oneof({ weight: 15, arbitrary: id.map(String) }, fc.constantFrom(...ADDRESSES));

const query = (route: RouteShape): fc.Arbitrary<string> => {
  const known = Object.entries(route.query?.shape ?? {});
  const choices = known.map(([name, schema]) => {
    const json = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Json;
    const pick =
      typeof json === 'object' && json.enum ? fc.constantFrom(...json.enum) : fc.constantFrom('1', '3', '50');
    return pick.map((value) => `${name}=${encodeURIComponent(String(value))}`);
  });
  const strange = fc
    .tuple(fc.constantFrom('x', '__proto__', 'limit', 'sort', 'from'), fc.constantFrom(...TEXTS))
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed().slice(0, 300))}`);
  const parts = fc.array(fc.oneof(...choices, strange, fc.constant('limit=%zz')), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    parts.map((list) => `?${list.join('&')}`),
  );
};

const ETAGS = fc.constantFrom(undefined, undefined, undefined, '*', '"stale"', '');

const requestOf = (name: RouteName): fc.Arbitrary<InjectOptions> => {
  const route: RouteShape = ROUTE_TABLE[name];
  const parts = route.path.split(/\{\w+\}/);
  const path = fc
    .tuple(...parts.slice(1).map(() => pathPart))
    .map((ids) => parts.map((part, index) => `${index === 0 ? '' : ids[index - 1]}${part}`).join(''));
  const method = fc.oneof(
    { weight: 30, arbitrary: fc.constant(route.method) },
    fc.constantFrom('PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
  );
  const body = route.body
    ? fc.oneof(
        {
          weight: 20,
          arbitrary: valueFor(z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }) as Json, '').map(
            (value) => JSON.stringify(value),
          ),
        },
        fc.string({ unit: 'binary', maxLength: 60 }),
      )
    : fc.constant(undefined);
  return fc.tuple(method, path, query(route), body, ETAGS).map(([verb, address, asked, payload, etag]) => ({
    method: verb as 'GET',
    url: `/api${address}${asked}`,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(etag === undefined ? {} : { 'if-match': etag }),
    },
    ...(payload === undefined ? {} : { payload }),
  }));
};

export interface NamedRequest {
  readonly name: RouteName;
  readonly request: InjectOptions;
  /** Index of the caller. */
  readonly who: number;
}

/** Generates requests from the route table, except for the given calls. */
export const anyRequest = (without: readonly RouteName[]): fc.Arbitrary<NamedRequest> =>
  fc.oneof(
    ...(Object.keys(ROUTE_TABLE) as RouteName[])
      .filter((name) => !without.includes(name))
      .map((name) => fc.record({ name: fc.constant(name), request: requestOf(name), who: fc.nat({ max: 9 }) })),
  );
