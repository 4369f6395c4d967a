import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { ASKS_RUNNER, VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

const ROUTES = Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][];
const withBody = drawSample(
  'calls with bad input: bodies',
  ROUTES.filter(([, route]) => route.body),
  25,
);
const withParams = drawSample(
  'calls with bad input: ids',
  ROUTES.filter(([, route]) => route.params),
  30,
);
const withQuery = drawSample(
  'calls with bad input: queries',
  ROUTES.filter(([, route]) => route.query),
  10,
);

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Bodies that no client should send, as text, so that no library corrects them. */
const BAD_BODIES: readonly (readonly [name: string, body: string, type: string, status: number])[] = [
  ['another content type', '{"name":"x"}', 'text/plain', 400],
  ['a form', 'name=x', 'application/x-www-form-urlencoded', 400],
  ['malformed JSON', '{"name": ', 'application/json', 400],
  ['JSON that is no object', '"text"', 'application/json', 400],
  ['an array', '[1,2]', 'application/json', 400],
  ['deep JSON', deep(30_000), 'application/json', 400],
  ['JSON that is a little too deep', deep(100), 'application/json', 400],
  ['a key that reaches into objects', '{"__proto__":{"admin":true}}', 'application/json', 400],
  [
    'wrong types everywhere',
    '{"name":[],"type":{},"auth":1,"password":{},"title":null,"template_id":"x","force":"yes","role":7,"comment":[],"note":[]}',
    'application/json',
    400,
  ],
  [
    'NUL in texts',
    '{"name":"a\\u0000b","auth":"a\\u0000b","password":"a\\u0000b","role":"\\u0000","title":"a\\u0000b","message":"\\u0000","template_id":1,"force":"\\u0000","comment":"\\u0000","note":"\\u0000"}',
    'application/json',
    400,
  ],
];

/** What the bodies of calls require that are checked before their objects are read. */
const REQUIRED: Partial<Record<RouteName, object>> = {
  createSavedLaunch: { name: 'one' },
  keepTask: { kept: true },
  rejectTask: { comment: 'No' },
};

interface Rows {
  readonly [table: string]: number;
}

/** The number of rows of each table. A refused call must not change any. */
const countRows = async ({ storage: { database } }: TestServer): Promise<Rows> => {
  const tables = [
    'users',
    'project',
    'project_user',
    'access_key',
    'repository',
    'inventory',
    'environment',
    'view',
    'template',
    'task',
    'event',
    'api_token',
    'environment_secret',
  ];
  const counts = tables.map(async (table) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
      database.autocommit,
    );
    return [table, Number(rows[0]?.n)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
};

const fill = (path: string, ids: Record<string, string | number>): string =>
  `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 1))}`;

const expectRefused = (answer: { statusCode: number; body: string }, what: string): void => {
  expect(answer.statusCode, `${what}: ${answer.body.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode, `${what}: ${answer.body.slice(0, 200)}`).toBeLessThan(500);
  expect(JSON.parse(answer.body), what).toMatchObject({ error: expect.stringMatching(/\S/), code: expect.any(String) });
};

const setUp = async (location: Parameters<typeof startTestServer>[0]) => {
  const server = await startTestServer(location);
  const client = await server.signIn();
  const sample = await sampleProject(client);
  const template = await sample.template();
  const task = (await client.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>();
  const failure = await VALID_REQUESTS.getFailure({ server, admin: client, sample }, 'failure');
  const ids = {
    ...failure.params,
    project_id: sample.projectId,
    template_id: template,
    task_id: task.id,
    key_id: sample.keyId,
    repository_id: sample.repositoryId,
    inventory_id: sample.inventoryId,
    environment_id: sample.environmentId,
    view_id: (await client.post(`${sample.base}/views`, { title: 'All of them' })).json<{ id: number }>().id,
    user_id: 1,
  };
  return { server, client, sample, ids };
};

const send = (client: Client, route: RouteShape, url: string, payload?: string, type = 'application/json') =>
  client.send({
    method: route.method,
    url,
    ...(payload === undefined ? {} : { payload, headers: { 'content-type': type } }),
  });

describeOneDatabase('[S12] invalid input', (makeLocation) => {
  it('is refused by every call with a body, and nothing is stored', async () => {
    const { server, client, ids } = await setUp(await makeLocation());
    const before = await countRows(server);
    for (const [name, route] of withBody) {
      for (const [what, body, type, status] of BAD_BODIES) {
        const answer = await send(client, route, fill(route.path, ids), body, type);
        expectRefused(answer, `${name} with ${what}`);
        expect(answer.statusCode, `${name} with ${what}: ${answer.body.slice(0, 200)}`).toBe(status);
      }
      const large = await send(client, route, fill(route.path, ids), `{"name":"${'x'.repeat(1_048_576)}"}`);
      expectRefused(large, `${name} with a body of 1 MB`);
    }
    expect(await countRows(server)).toEqual(before);
  });

  it('is reported with the name of the field', async () => {
    const { client, sample } = await setUp(await makeLocation());
    for (const [path, body, field] of [
      ['/projects', { name: '' }, 'name'],
      ['/projects', { name: 'x', max_parallel_tasks: -1 }, 'max_parallel_tasks'],
      ['/projects', { name: 'x', max_parallel_tasks: 1.5 }, 'max_parallel_tasks'],
      [`${sample.base}/keys`, { name: 'k', type: 'ssh', ssh: { private_key: '' } }, 'ssh.private_key'],
      [`${sample.base}/keys`, { name: 'k', type: 'nonsense' }, 'type'],
      [
        `${sample.base}/repositories`,
        { name: 'r', git_url: 'ftp://x/y', git_branch: 'main', ssh_key_id: sample.keyId },
        'git_url',
      ],
      [
        `${sample.base}/repositories`,
        { name: 'r', git_url: '--upload-pack=touch /tmp/x', git_branch: 'main', ssh_key_id: sample.keyId },
        'git_url',
      ],
      [
        `${sample.base}/repositories`,
        { name: 'r', git_url: 'https://x/y', git_branch: '--force', ssh_key_id: sample.keyId },
        'git_branch',
      ],
      [
        `${sample.base}/repositories`,
        { name: 'r', git_url: 'https://x/y', git_branch: 'main', ssh_key_id: 999_999 },
        'ssh_key_id',
      ],
      [
        `${sample.base}/inventory`,
        { name: 'i', type: 'file', inventory: '../../etc/passwd', ssh_key_id: sample.keyId },
        'inventory',
      ],
      [`${sample.base}/environment`, { name: 'e', json: '[1]' }, 'json'],
      [`${sample.base}/environment`, { name: 'e', env: '{"a b":"c"}' }, 'env'],
      [`${sample.base}/tasks`, { template_id: 999_999 }, 'template_id'],
      [`${sample.base}/tasks`, { template_id: 1, limit: '@/etc/passwd' }, 'limit'],
      [`${sample.base}/tasks`, { template_id: 1, environment: 'not json' }, 'environment'],
      [`${sample.base}/tasks`, { template_id: 1, arguments: '["--check"]' }, 'arguments'],
      [`${sample.base}/tasks`, { template_id: 1, project_id: sample.projectId + 1 }, 'project_id'],
    ] as const) {
      const answer = await client.post(path, body);
      expect(answer.statusCode, answer.body).toBe(400);
      expect(Object.keys(answer.json<{ fields: object }>().fields), answer.body).toContain(field);
    }
  });

  it('gets 400 or 404 in a path, and never causes a server error', async () => {
    const { client, ids } = await setUp(await makeLocation());
    for (const [name, route] of withParams) {
      for (const param of Object.keys(route.params?.shape ?? {})) {
        for (const bad of [
          '0',
          '-1',
          '1e3',
          '1.5',
          'x',
          '%00',
          '%ff',
          '99999999999',
          '2147483647',
          "1'or'1'='1",
          '..%2f..',
          'a'.repeat(5000),
        ]) {
          const answer = await send(
            client,
            route,
            fill(route.path, { ...ids, [param]: bad }),
            route.body ? '{}' : undefined,
          );
          expectRefused(answer, `${name} with ${param}=${bad.slice(0, 20)}`);
        }
      }
    }
    for (const [name, route] of withQuery) {
      for (const query of Object.keys(route.query?.shape ?? {})) {
        for (const bad of ['', '-1', 'x', '1e9', '%00', '99999999999', '1&x=2', '[]']) {
          const answer = await client.send({ method: route.method, url: `${fill(route.path, ids)}?${query}=${bad}` });
          if (answer.statusCode === 200 || (answer.statusCode === 503 && ASKS_RUNNER.includes(name))) continue;
          expectRefused(answer, `${name} with ${query}=${bad}`);
        }
      }
    }
  });

  it('is refused when it comes from a page of another site', async () => {
    const { server, client, ids } = await setUp(await makeLocation());
    const before = await countRows(server);
    for (const [name, route] of ROUTES.filter(([, one]) => one.method !== 'GET' && !one.rawBody)) {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        const answer = await client.send({ method: route.method, url: fill(route.path, ids), headers, payload: {} });
        expect(answer.statusCode, `${name}: ${answer.body}`).toBe(403);
      }
    }
    expect(await countRows(server)).toEqual(before);
  });

  it('[S2] gets the same answer for ids of other projects as for unknown ids', async () => {
    const { client, sample, ids } = await setUp(await makeLocation());
    const other = await sampleProject(client, 'Other');
    const otherTemplate = await other.template();
    for (const [name, route] of withParams.filter(([, one]) => one.permission.kind === 'project')) {
      const names = Object.keys(route.params?.shape ?? {}).filter((param) => param !== 'project_id');
      // Users belong to no project. Their memberships are tested with the permissions.
      if (names.length === 0 || names.includes('user_id')) continue;
      const ask = (projectId: number, extra: object) =>
        send(
          client,
          route,
          fill(route.path, { ...ids, ...extra, project_id: projectId }),
          // A body with what is required, because a body is checked before its template is read.
          route.body ? JSON.stringify(REQUIRED[name] ?? {}) : undefined,
        );
      const foreign = await ask(other.projectId, {});
      const unknown = await ask(other.projectId, Object.fromEntries(names.map((param) => [param, 2_000_000_000])));
      expect(foreign.statusCode, name).toBe(404);
      expect(foreign.json(), name).toEqual(unknown.json());
    }
    for (const [path, body] of [
      [
        'templates',
        {
          name: 't',
          playbook: 'p.yml',
          inventory_id: other.inventoryId,
          environment_id: sample.environmentId,
          repository_id: sample.repositoryId,
        },
      ],
      [
        'templates',
        {
          name: 't',
          playbook: 'p.yml',
          inventory_id: sample.inventoryId,
          environment_id: other.environmentId,
          repository_id: sample.repositoryId,
        },
      ],
      [
        'templates',
        {
          name: 't',
          playbook: 'p.yml',
          inventory_id: sample.inventoryId,
          environment_id: sample.environmentId,
          repository_id: other.repositoryId,
        },
      ],
      ['inventory', { name: 'x', type: 'static', inventory: 'a', ssh_key_id: other.keyId }],
      ['repositories', { name: 'x', git_url: 'https://x/y', git_branch: 'main', ssh_key_id: other.keyId }],
      ['tasks', { template_id: otherTemplate }],
    ] as const) {
      const answer = await client.post(`${sample.base}/${path}`, body);
      expect(answer.statusCode, `${path}: ${answer.body}`).toBe(400);
    }
  });
});
