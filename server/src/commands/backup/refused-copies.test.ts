import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { snapshotOf } from '../../testing/database/database-snapshot.ts';
import { describeOneEmptyDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { startTestServer } from '../../testing/test-server.ts';

const COMMAND = join(import.meta.dirname, '..', '..', '..', '..', 'bin', 'signalbox.mjs');

/** Runs the command with another standard output, or with a resource limit. */
const elsewhere = async (
  location: TestLocation,
  before: readonly string[],
  args: readonly string[],
  output: 'pipe' | number,
) => {
  const [file = '', ...more] = [...before, process.execPath, COMMAND, ...args];
  const env = {
    PATH: process.env.PATH,
    SIGNALBOX_DATA: location.folder,
    ...(location.databaseUrl === undefined ? {} : { DATABASE_URL: location.databaseUrl }),
  };
  const child = spawn(file, more, { stdio: ['ignore', output, 'pipe'], env });
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, printed };
};

/** Limits the size of files, as on a full disk. */
const freeSpaceFor = (bytes: number): string[] => ['prlimit', `--fsize=${bytes}`];
/** Bytes that SQLite needs for temporary files when it reads. */
const TO_READ = 40_000;

describeOneEmptyDatabase('a backup, restore or export that fails', (makeLocation) => {
  it('leaves no partial file when the disk is full, and explains it in one sentence', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { base } = await sampleProject(admin, 'Shop');
    const json = JSON.stringify({ a: randomBytes(TO_READ).toString('hex') });
    expect((await admin.post(`${base}/environment`, { name: 'Large', json })).statusCode).toBe(201);
    await server.stop();
    const freeSpace = freeSpaceFor(location.databaseUrl === undefined ? TO_READ : 0);
    const folder = join(location.folder, 'copies');
    mkdirSync(folder);
    for (const command of [['backup'], ['project', 'export', 'Shop']]) {
      const file = join(folder, 'a copy');
      const { code, printed } = await elsewhere(location, freeSpace, [...command, '--output', file], 'pipe');
      expect(printed).toBe(`${file} cannot be written (EFBIG: file too large, write).\n`);
      expect(code).toBe(1);
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('reports when its output cannot be written, because a token is shown only once', async () => {
    const location = await makeLocation();
    await (await startTestServer(location)).stop();
    const full = openSync('/dev/full', 'w');
    const { code, printed } = await elsewhere(location, [], ['user', 'token', 'create', '--login', 'admin'], full);
    closeSync(full);
    expect(printed).toBe('The output cannot be written (ENOSPC: no space left on device, write).\n');
    expect(code).toBe(1);
  });

  it('overwrites nothing but regular files, even with --force', async () => {
    const location = await makeLocation();
    await (await startTestServer(location)).stop();
    const { code, output } = await signalbox(location, 'backup', '--output', location.folder, '--force').ended;
    expect(output).toBe(`${location.folder} is not a regular file. Name another file.\n`);
    expect(code).toBe(1);
  });

  it('ends with exit code 130 after Ctrl-C and leaves no partial file', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const { base } = await sampleProject(await server.signIn());
    const admin = await server.signIn();
    for (let round = 0; round < 20; round++)
      await admin.post(`${base}/environment`, { name: `e${round}`, json: JSON.stringify({ a: 'x'.repeat(400_000) }) });
    const folder = join(location.folder, 'copies');
    mkdirSync(folder);
    // On a busy machine the copy may finish before the signal arrives.
    const ends: unknown[] = [];
    while (ends.length < 5 && !ends.includes(130)) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      const begun = Promise.withResolvers<void>();
      const watcher = watch(folder, () => begun.resolve());
      const backup = signalbox(location, 'backup', '--output', join(folder, 'all.backup'));
      await begun.promise;
      watcher.close();
      backup.child.kill('SIGINT');
      const { code, output } = await backup.ended;
      if (code !== 0) expect(output).toBe('');
      ends.push(code);
    }
    expect(ends.at(-1)).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a backup with rows that do not fit or a line without end, and changes nothing', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    await sampleProject(await server.signIn());
    await server.stop();
    const whole = join(location.folder, 'whole.backup');
    expect((await signalbox(location, 'backup', '--output', whole).ended).code).toBe(0);
    const before = await snapshotOf(location);
    const text = gunzipSync(readFileSync(whole)).toString('utf8');
    const edited: Readonly<Record<string, (text: string) => string>> = {
      'no such table': (all) => all.replaceAll('"users"', '"userz"'),
      'no such column': (all) => all.replaceAll('"username_key"', '"username_kez"'),
      'a row twice': (all) => all.replace(/(\{"table":"users"\}\n)(.*\n)/, '$1$2$2'),
      'a row of an unknown user': (all) => all.replace(/(\{"table":"project_user"\}\n)\[\d+/, '$1[777'),
      'a step of another kind': (all) => all.replace('"steps":{"state":[', '"steps":{"state":["__proto__",'),
    };
    for (const [name, edit] of Object.entries(edited)) {
      const file = join(location.folder, 'edited.backup');
      expect(edit(text), name).not.toBe(text);
      writeFileSync(file, gzipSync(edit(text)));
      const { code, output } = await signalbox(location, 'restore', file, '--force').ended;
      expect(output, name).toMatch(
        /^[A-Z].* (Nothing was changed|or restore a backup|not a Signalbox backup, or it is incomplete)\.\n$/s,
      );
      expect(output.trim().split('\n'), name).toHaveLength(1);
      expect(code).toBe(1);
      expect(await snapshotOf(location), name).toEqual(before);
    }
  });
});

describeOneEmptyDatabase('a data folder on a full disk', (makeLocation) => {
  it('is not reported as used by another server', async () => {
    const location = await makeLocation();
    const { code, printed } = await elsewhere(location, freeSpaceFor(0), ['server'], 'pipe');
    expect(printed).toMatch(/^The data folder .* cannot be used \(disk I\/O error\)\.\n$/);
    expect(code).toBe(1);
  });
});

describe('a backup of a file that is not a database', () => {
  it('is refused in one sentence', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ['signalbox.db', 'logs.db']) writeFileSync(join(folder, name), 'something else'.repeat(100));
    const { code, output } = await signalbox(
      { folder, databaseUrl: undefined },
      'backup',
      '--output',
      join(folder, 'all.backup'),
    ).ended;
    expect(output).toBe('The database in the data folder cannot be opened (file is not a database).\n');
    expect(code).toBe(1);
  });
});
