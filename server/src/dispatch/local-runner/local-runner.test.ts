import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../database/database.ts';
import { migrateAll } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open-database.ts';
import { hashToken } from '../../secrets/token.ts';
import { describeOneDatabase, describeRemoteDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { LocalRunner } from './local-runner.starter.ts';

const HERE = `local@${hostname()}`;

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-local-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'runner');
};

/** Opens the database like another server, with connections of its own. */
const connect = async (location: TestLocation): Promise<Database> => {
  const database = openDatabase(
    location.databaseUrl === undefined ? { folder: location.folder } : { url: location.databaseUrl },
  );
  onTestFinished(() => database.close());
  await migrateAll(database, undefined);
  return database;
};

const start = async (
  database: Database,
  folder: string,
  environment: Record<string, string> = {},
  settings: Partial<ConstructorParameters<typeof LocalRunner>[0]> = {},
) => {
  const warnings: unknown[] = [];
  const runner = new LocalRunner({
    database,
    folder,
    socketPath: join(folder, 'runner.sock'),
    slots: 2,
    runAs: '',
    outputLimit: 1000,
    cache: { maxDays: 1, maxMegabytes: 1 },
    repositoryRoots: [],
    hostKeys: 'strict',
    warmStart: true,
    environment,
    isConnected: () => false,
    now: () => new Date(),
    log: { warn: (input) => void warnings.push(input) },
    ...settings,
  });
  onTestFinished(() => runner.stop());
  await runner.start();
  return { runner, warnings };
};

const rowsOf = (database: Database) =>
  database.read.selectFrom('runner').select(['id', 'name', 'token_hash']).orderBy('id').execute();
const hashIn = (folder: string) => hashToken(readFileSync(join(folder, 'token'), 'utf8').trim());

/** Starts another program instead of the runner. */
const startInstead = (path: string): void => {
  const before = process.execPath;
  process.execPath = path;
  onTestFinished(() => {
    process.execPath = before;
  });
};

describeOneDatabase('the local runner of a server', (makeLocation) => {
  beforeEach(() => startInstead('/bin/true'));

  it('keeps its row with its folder, and a lost folder takes the row over if there is no other server', async () => {
    const [database, folder] = [await connect(await makeLocation()), newFolder()];
    await start(database, folder);
    const first = await rowsOf(database);
    expect(first).toMatchObject([{ name: 'local', token_hash: hashIn(folder) }]);
    await start(database, folder);
    expect(await rowsOf(database)).toEqual(first);
    rmSync(folder, { recursive: true });
    await start(database, folder);
    expect(await rowsOf(database)).toEqual([{ ...first[0], token_hash: hashIn(folder) }]);
  });

  it('gets a new token when its token file is empty, as after a full disk', async () => {
    const [database, folder] = [await connect(await makeLocation()), newFolder()];
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'token'), '\n');
    await start(database, folder);
    expect(readFileSync(join(folder, 'token'), 'utf8')).toMatch(/^\S{20,}\n$/);
    expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600);
    expect(await rowsOf(database)).toMatchObject([{ name: 'local', token_hash: hashIn(folder) }]);
  });

  it('is not taken over from another server that may come back for its runs', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const { base, template } = await sampleProject(await server.signIn());
    const task = await (await server.signIn()).post(`${base}/tasks`, { template_id: await template() });
    expect(task.statusCode).toBe(201);
    await server.stop();
    const [database, folder] = [await connect(location), newFolder()];
    await start(database, folder);
    const [known] = await rowsOf(database);
    await database.autocommit
      .updateTable('task')
      .set({ status: 'running', runner_id: known?.id ?? 0 })
      .execute();
    const other = newFolder();
    await start(database, other);
    const taken = { ...known, token_hash: hashIn(other) };
    const neighbours = [known, expect.objectContaining({ name: HERE, token_hash: hashIn(other) })];
    expect(await rowsOf(database)).toEqual(database.capabilities.isShared ? neighbours : [taken]);
  });

  it('is registered again after an admin has deleted it', async () => {
    const [database, folder] = [await connect(await makeLocation()), newFolder()];
    const { runner } = await start(database, folder);
    await database.autocommit.deleteFrom('runner').execute();
    runner.check();
    await expect.poll(() => rowsOf(database), { timeout: 5_000 }).toMatchObject([{ token_hash: hashIn(folder) }]);
  });
});

describeRemoteDatabase('several servers on one database', (makeLocation) => {
  beforeEach(() => startInstead('/bin/true'));

  it('have one runner each, and no start takes the runner of another server', async () => {
    const location = await makeLocation();
    const servers = [];
    for (const folder of [newFolder(), newFolder(), newFolder()]) {
      const database = await connect(location);
      await start(database, folder);
      servers.push({ database, folder });
    }
    const [{ database }] = servers as [(typeof servers)[number]];
    const rows = await rowsOf(database);
    expect(rows.map(({ name }) => name)).toEqual(['local', HERE, `${HERE}-2`]);
    expect(rows.map(({ token_hash }) => token_hash)).toEqual(servers.map(({ folder }) => hashIn(folder)));
    for (const server of servers) await start(server.database, server.folder);
    expect(await rowsOf(database)).toEqual(rows);
  });
});

describe('a local runner that cannot be started', () => {
  const open = async (): Promise<Database> => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-local-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return await connect({ folder, databaseUrl: undefined, remove: () => Promise.resolve() });
  };
  /** Writes a program that leaves a text in a folder. */
  const writeProgram = (path: string, text: string): void => {
    writeFileSync(path, `#!/bin/sh\necho started >> '${text}'\n`);
    chmodSync(path, 0o700);
  };

  it('is started as soon as its missing program exists', async () => {
    const [database, folder] = [await open(), newFolder()];
    const [program, text] = [`${folder}.program`, `${folder}.word`];
    startInstead(program);
    const { warnings } = await start(database, folder);
    await expect.poll(() => warnings.length).toBeGreaterThan(0);
    expect(warnings[0]).toMatchObject({ err: { code: 'ENOENT' } });
    writeProgram(program, text);
    await expect.poll(() => existsSync(text), { timeout: 10_000 }).toBe(true);
  });

  it('is passed every setting that affects runs', async () => {
    const [database, folder] = [await open(), newFolder()];
    const [program, text] = [`${folder}.program`, `${folder}.word`];
    startInstead(program);
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(program, `#!/bin/sh\n/usr/bin/env > '${text}.new'\n/bin/mv '${text}.new' '${text}'\n`);
    chmodSync(program, 0o700);
    const { runner } = await start(
      database,
      folder,
      { HTTPS_PROXY: 'http://proxy:3128' },
      {
        slots: 7,
        runAs: 'nobody',
        outputLimit: 12_345,
        cache: { maxDays: 8, maxMegabytes: 9 },
        repositoryRoots: ['/srv/one', '/srv/two'],
        hostKeys: 'strict',
        warmStart: true,
      },
    );
    await expect.poll(() => existsSync(text), { timeout: 30_000 }).toBe(true);
    const logged = readFileSync(text, 'utf8').split('\n');
    expect(logged.filter((line) => /^(SIGNALBOX|HTTPS)_/.test(line)).toSorted()).toEqual([
      'HTTPS_PROXY=http://proxy:3128',
      'SIGNALBOX_CACHE_MAX_DAYS=8',
      'SIGNALBOX_CACHE_MAX_MB=9',
      'SIGNALBOX_HOST_KEYS=strict',
      'SIGNALBOX_LOCAL_REPOSITORY_ROOTS=/srv/one:/srv/two',
      'SIGNALBOX_OUTPUT_LIMIT=12345',
      `SIGNALBOX_RUNNER_DATA=${folder}`,
      'SIGNALBOX_RUNNER_LOCAL=1',
      `SIGNALBOX_RUNNER_SETTINGS=${runner.settings}`,
      'SIGNALBOX_RUNNER_SLOTS=7',
      `SIGNALBOX_RUNNER_TOKEN_FILE=${join(folder, 'token')}`,
      'SIGNALBOX_RUN_AS=nobody',
      `SIGNALBOX_SERVER=unix:${join(folder, 'runner.sock')}`,
      'SIGNALBOX_WARM_START=1',
    ]);
  });

  it('is started as soon as its log can be opened, and the server continues meanwhile', async () => {
    const [database, folder] = [await open(), newFolder()];
    const [program, text] = [`${folder}.program`, `${folder}.word`];
    startInstead(program);
    writeProgram(program, text);
    const blocked = join(folder, 'runner.log');
    mkdirSync(blocked, { recursive: true });
    const { warnings } = await start(database, folder);
    await expect.poll(() => warnings.length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(warnings).toEqual(warnings.map(() => ({ err: expect.objectContaining({ code: 'EISDIR' }) })));
    rmdirSync(blocked);
    await expect.poll(() => existsSync(text), { timeout: 10_000 }).toBe(true);
  });
});
