import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  NewEnvironment,
  NewInventory,
  NewProject,
  NewRepository,
  NewSchedule,
  NewServiceAccount,
  NewTask,
  NewTemplate,
  NewUser,
  NewView,
  ROUTE_TABLE,
  type RouteName,
} from '@signalbox/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { describeOneDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { fuzzRequests, fuzzSeed } from '../../testing/requests/fuzz-size.ts';
import { anyRequest, CANARY } from '../../testing/requests/request-arbitrary.ts';
import { ASKS_RUNNER } from '../../testing/requests/valid-request.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

/** Signing in is slow on purpose, and signing out ends the session: both have tests of their own. */
const WITHOUT: readonly RouteName[] = ['signIn', 'signOut'];
const PER_DATABASE = Math.ceil(fuzzRequests() / 2);
const MS_PER_REQUEST = 60;

/** The callers. A caller whose user was deleted or got another password is replaced. */
class Users {
  readonly #server: TestServer;
  readonly #admin: Client;
  readonly #clients: Client[];
  #made = 0;

  constructor(server: TestServer, admin: Client) {
    this.#server = server;
    this.#admin = admin;
    this.#clients = [admin, admin, admin, admin, server.anonymous];
  }

  /** Creates two projects with objects of every kind, and users of each role. */
  async refill(): Promise<void> {
    const round = ++this.#made;
    const projects = (await this.#admin.get('/projects')).json<{ id: number }[]>();
    if (projects.length >= 2 && this.#clients.length > 6) return;
    const sample = await sampleProject(this.#admin, `Round ${round}`);
    const template_id = await sample.template({ allow_override_args_in_task: true, type: 'build', start_version: '1' });
    await this.#admin.post(`${sample.base}/tasks`, { template_id });
    await this.#admin.post(`${sample.base}/views`, { title: 'All' });
    const { projectId } = sample;
    this.#clients.splice(5);
    for (const role of ['manager', 'manager', 'owner', 'task_runner', 'guest'] as const) {
      const name = `${role}-${round}-${this.#clients.length}`;
      this.#clients.push(await addMember(this.#server, name, { projectId, role }));
    }
  }

  pick(who: number): Client {
    return this.#clients[who % this.#clients.length] ?? this.#admin;
  }
}

const listen = async (server: TestServer, client: Client): Promise<string[]> => {
  const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, {
    headers: { cookie: client.cookie },
  });
  onTestFinished(() => socket.terminate());
  const received: string[] = [];
  socket.on('message', (data: Buffer) => received.push(data.toString('utf8')));
  await once(socket, 'open');
  return received;
};

/** Every row of every table and every file of the data folder, as text. */
const everythingStored = async (server: TestServer, location: TestLocation): Promise<string> => {
  const { autocommit } = server.storage.database;
  const tables = await autocommit.introspection.getTables();
  const rows = await Promise.all(
    tables.map(async ({ name }) => (await sql`select * from ${sql.table(name)}`.execute(autocommit)).rows),
  );
  const files = readdirSync(location.folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  return [JSON.stringify(rows), ...files].join('\n');
};

/** Validates everything that was stored against the contract, list by list. */
const checkStored = async (admin: Client): Promise<void> => {
  const holds = async (path: string, schema: z.ZodType, more: object = {}): Promise<number[]> => {
    const rows = (await admin.get(path)).json<{ id: number; service?: boolean }[]>();
    for (const row of rows) {
      const judged = (row.service ? NewServiceAccount : schema).safeParse({ ...row, ...more });
      expect(judged.error?.issues, `${path}: ${JSON.stringify(row).slice(0, 500)}`).toBeUndefined();
    }
    return rows.map((row) => row.id);
  };
  await holds('/users', NewUser, { password: 'a password' });
  for (const id of await holds('/projects', NewProject)) {
    const base = `/project/${id}`;
    await holds(`${base}/views`, NewView);
    await holds(`${base}/repositories`, NewRepository);
    await holds(`${base}/inventory`, NewInventory);
    await holds(`${base}/environment`, NewEnvironment, { secrets: [] });
    await holds(`${base}/templates`, NewTemplate);
    await holds(`${base}/schedules`, NewSchedule);
    await holds(`${base}/tasks`, NewTask);
    for (const list of ['keys', 'users', 'events', 'events/last', 'tasks/last', 'roles', 'role']) {
      expect((await admin.get(`${base}/${list}`)).statusCode, list).toBe(200);
    }
  }
};

describeOneDatabase(`[S12] ${PER_DATABASE} requests generated from the route table`, (makeLocation) => {
  it(
    '[S3] cause no error of the server, store nothing that the contract forbids, and return no secret',
    async () => {
      const location = await makeLocation();
      const server = await startTestServer(location);
      const admin = await server.signIn();
      const users = new Users(server, admin);
      await users.refill();
      const received = await listen(server, admin);
      const seen = new Map<number, number>();
      let sent = 0;
      const property = fc.asyncProperty(anyRequest(WITHOUT), async ({ name, request, who }) => {
        if (++sent % 100 === 0) await users.refill();
        const answer = await users.pick(who).send(request);
        seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1);
        if (ASKS_RUNNER.includes(name) && answer.statusCode === 503) return;
        expect(answer.statusCode, `${name}: ${answer.body.slice(0, 300)}`).toBeLessThan(500);
        expect(answer.body).not.toContain(CANARY);
        if (answer.statusCode >= 400 && request.method !== 'HEAD') {
          expect(answer.json(), name).toMatchObject({ error: expect.any(String), code: expect.any(String) });
        }
        const { answer: schema, method, status } = ROUTE_TABLE[name];
        if (
          answer.statusCode === status &&
          request.method === method &&
          // `..` in a path leads to another call.
          !/%2e%2e|\.\./i.test(String(request.url)) &&
          typeof schema === 'object' &&
          'parse' in schema
        ) {
          schema.parse(answer.json());
        }
      });
      await fc.assert(property, { numRuns: PER_DATABASE, seed: fuzzSeed(), endOnFailure: false });
      // Requests that were all refused or all accepted would prove little.
      for (const alternatives of [[200], [201, 204], [400], [401], [403], [404], [409]]) {
        const count = alternatives.reduce((sum, status) => sum + (seen.get(status) ?? 0), 0);
        expect(count, `answers ${alternatives} of ${JSON.stringify([...seen])}`).toBeGreaterThan(sent / 1000);
      }
      await checkStored(admin);
      // The socket is still open, so it has received everything before.
      const { base, template } = await sampleProject(admin, 'Last');
      const template_id = await template();
      await expect
        .poll(async () => (await admin.post(`${base}/tasks`, { template_id })) && received.length)
        .toBeGreaterThan(0);
      expect(received.join('\n')).not.toContain(CANARY);
      expect((await everythingStored(server, location)).includes(CANARY)).toBe(false);
    },
    60_000 + PER_DATABASE * MS_PER_REQUEST,
  );
});
