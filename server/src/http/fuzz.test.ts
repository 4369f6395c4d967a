import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import type { InjectOptions } from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeEachDatabase } from '../testing/databases.ts';
import { addMember, sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';

/** Signing in is slow on purpose, and has tests of its own. */
const ROUTES = (Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]).filter(
  ([name]) => name !== 'signIn' && name !== 'signOut',
);
const REQUESTS = 3000;
const SEED = 20_261_121;

/** Numbers from 0 to 1 that follow from the seed (mulberry32), so that what fails once fails again. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const TEXTS = [
  '',
  ' ',
  'name',
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
  '`id`',
  '<script>',
  '[]',
  '{}',
  '{"a":1}',
  '["--check"]',
  '{"__proto__":1}',
  'null',
  '1e400',
  '\u{1f682}'.repeat(300),
  'x'.repeat(20_000),
  '1.0.0',
  'https://git.example/x.git',
  'constructor',
  'toString',
  '\r\n',
  '{"a":"\\u0000"}',
  '9'.repeat(64),
  'İ',
  '\ufeff',
];
const NUMBERS = [0, -0, 1, 2, 3, -1, 1.5, 2_147_483_647, 2_147_483_648, 2 ** 53, 1e300, 10_000, 10_001];
const ODD: readonly unknown[] = [null, true, false, [], {}, [[]], { length: 1 }, [null], { toString: 1 }];
/** What comes through where a text must be of a certain form. */
const FITTING: Readonly<Record<string, string>> = {
  json: '{"a":1}',
  env: '{"A":"b"}',
  environment: '{}',
  arguments: '["-v"]',
  start_version: '1.0.0',
  git_url: 'https://git.example/x.git',
  git_branch: 'main',
  cron_format: '*/5 3 * * *',
};
const ADDRESSES = [
  '0',
  '-1',
  '1e3',
  'x',
  '%00',
  '%ff',
  '%2e%2e',
  '2147483647',
  '2147483648',
  '1%2f2',
  '%F0%9F%9A%82',
  '1;a',
];
const CODES = 'abc\u0000\u{1f682}"\\{}[]:,1 \n';

type Json = z.core.JSONSchema.JSONSchema | boolean;

class Fuzzer {
  readonly #random: () => number;
  readonly #ids: readonly number[];

  constructor(seed: number, ids: readonly number[]) {
    this.#random = randomFrom(seed);
    this.#ids = ids;
  }

  chance(of: number): boolean {
    return this.#random() < of;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  get #id(): number {
    return this.chance(0.9) ? this.pick(this.#ids) : this.pick(NUMBERS);
  }

  #odd(): unknown {
    return this.pick([() => this.pick(TEXTS), () => this.pick(NUMBERS), () => this.pick(ODD)])();
  }

  /** Something that mostly fits a schema, so that it comes far, and now and then does not. */
  value(schema: Json, name = ''): unknown {
    if (typeof schema === 'boolean' || this.chance(0.05)) return this.#odd();
    if (schema.enum) return this.pick(schema.enum);
    if (schema.anyOf) return this.value(this.pick(schema.anyOf), name);
    if (name.endsWith('_id')) return this.#id;
    switch (schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(() => this.chance(0.9))
            .map(([key, value]) => [key, this.value(value, key)]),
        );
      case 'array':
        return Array.from({ length: Math.floor(this.#random() * 4) }, () => this.value(schema.items as Json));
      case 'boolean':
        return this.chance(0.5);
      case 'integer':
      case 'number':
        return this.pick(NUMBERS);
      case 'null':
        return null;
      default:
        if (this.chance(0.25)) return this.pick(TEXTS);
        return FITTING[name] ?? `text ${this.#random()}`;
    }
  }

  #garbage(): string {
    return Array.from({ length: Math.floor(this.#random() * 60) }, () => this.pick([...CODES])).join('');
  }

  request(route: RouteShape): InjectOptions {
    const path = route.path.replaceAll(/\{\w+\}/g, () => (this.chance(0.9) ? String(this.#id) : this.pick(ADDRESSES)));
    const keys = [...Object.keys(route.query?.shape ?? {}), 'x', '__proto__', 'limit'];
    const query = this.chance(0.4)
      ? `?${this.pick(keys)}=${encodeURIComponent(String(this.chance(0.5) ? this.pick(NUMBERS) : this.pick(TEXTS).toWellFormed().slice(0, 300)))}&${this.pick(keys)}=${this.pick(['1', '%zz', '', '2&limit=3'])}`
      : '';
    const method = this.chance(0.97) ? route.method : this.pick(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const);
    const url = `/api${path}${query}`;
    if (!route.body) return { method, url };
    const body = this.value(z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }) as Json);
    const payload = this.chance(0.95) ? JSON.stringify(body) : this.#garbage();
    return { method, url, payload, headers: { 'content-type': 'application/json' } };
  }
}

describeEachDatabase('[S12] 3,000 random requests', (makePlace) => {
  it('never make an error of ours, and leave a server that works', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const samples = [await sampleProject(admin, 'One'), await sampleProject(admin, 'Two')];
    for (const sample of samples) {
      const template_id = await sample.template({ allow_override_args_in_task: true });
      await admin.post(`${sample.base}/tasks`, { template_id });
    }
    const [{ projectId } = { projectId: 0 }] = samples;
    const clients = [
      admin,
      await addMember(server, 'manager', { projectId, role: 'manager' }),
      await addMember(server, 'guest', { projectId, role: 'guest' }),
    ];
    const fuzzer = new Fuzzer(SEED, [1, 2, 3]);
    const seen = new Map<number, number>();
    for (let n = 0; n < REQUESTS; n++) {
      const [name, route] = fuzzer.pick(ROUTES);
      const request = fuzzer.request(route);
      const answer = await fuzzer.pick(clients).send(request);
      seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1);
      const what = `request ${n}, ${name}: ${JSON.stringify(request).slice(0, 1500)} -> ${answer.body.slice(0, 300)}`;
      // A repository cannot be asked for its branches while no runner is connected.
      if (name === 'listBranches' && answer.statusCode === 503) continue;
      expect(answer.statusCode, what).toBeLessThan(500);
      if (answer.statusCode >= 400 && request.method !== 'HEAD') {
        expect(answer.json(), what).toMatchObject({ error: expect.any(String), code: expect.any(String) });
      }
    }
    // Requests that were all refused at the door, or all taken, would prove little.
    for (const status of [200, 201, 400, 403, 404])
      expect(seen.get(status) ?? 0, `answers ${status}`).toBeGreaterThan(20);
    expect((await admin.get('/projects')).statusCode).toBe(200);
    for (const { base } of samples) {
      for (const path of [
        'templates',
        'tasks',
        'keys',
        'inventory',
        'repositories',
        'environment',
        'views',
        'events',
      ]) {
        expect((await admin.get(`${base}/${path}`)).statusCode, path).toBe(200);
      }
    }
  }, 120_000);
});

describeEachDatabase('at the same moment', (makePlace) => {
  it('one of many creates of the same name is stored, the others are told so', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const { base, keyId } = await sampleProject(admin);
    for (const [path, body] of [
      ['keys', { name: 'twin', type: 'none' }],
      ['environment', { name: 'twin' }],
      ['views', { title: 'twin' }],
      ['inventory', { name: 'twin', type: 'static', ssh_key_id: keyId }],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(`${base}/${path}`, body)));
      expect(answers.map(({ statusCode }) => statusCode).toSorted(), path).toEqual([201, ...Array(7).fill(409)]);
    }
  });

  it('a project that goes while others work in it makes no error of ours', async () => {
    const server = await startTestServer(await makePlace());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const template_id = await sample.template();
    const answers = Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        [
          () => admin.post(`${sample.base}/tasks`, { template_id }),
          () => admin.post(`${sample.base}/views`, { title: `view ${n}` }),
          () => admin.post(`${sample.base}/keys`, { name: `key ${n}`, type: 'none' }),
          () => admin.get(`${sample.base}/templates`),
        ][n % 4]?.(),
      ),
    );
    const { database } = server.storage;
    await database.write(async (tx) => {
      await tx.deleteFrom('template').execute();
      await tx.deleteFrom('inventory').execute();
      await tx.deleteFrom('repository').execute();
      await tx.deleteFrom('project').execute();
    });
    for (const answer of await answers) {
      expect([200, 201, 400, 404, 409], answer?.body).toContain(answer?.statusCode);
    }
  });
});
