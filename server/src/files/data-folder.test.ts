import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../database/folder-lock.ts';
import { signalbox } from '../testing/signalbox-process.ts';
import { makeDataFolder, runnerSocketPath } from './data-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

describe('the data folder', () => {
  it('is created with its parent folders, unreadable for other users', () => {
    const path = join(folder, 'a', 'b');
    makeDataFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('is named in one sentence when it is not writable', () => {
    // Even root cannot create a folder there.
    expect(() => makeDataFolder('/proc/signalbox')).toThrow(
      'The data folder /proc/signalbox cannot be written: give this user the right to, or set SIGNALBOX_DATA to another folder.',
    );
  });

  it('is used by one server only, and a second one reports the process of the first', async () => {
    const location = { folder, databaseUrl: undefined };
    const first = signalbox(location, 'server');
    await first.printed('Signalbox is ready');
    const { code, output } = await signalbox(location, 'server').ended;
    expect(code).toBe(1);
    expect(output).toBe(
      `Another server or command (process ${first.child.pid}) uses the data folder ${folder}: stop it, or set SIGNALBOX_DATA to another folder.\n`,
    );
    // A refused start does not affect the running server.
    expect(() => lockFolder(folder)).toThrow(`process ${first.child.pid}`);
    first.child.kill('SIGKILL');
    await first.ended;
    const third = signalbox(location, 'server');
    await third.printed('Signalbox is ready');
    third.child.kill('SIGTERM');
    expect(await third.ended).toMatchObject({ code: 0 });
  });

  it('keeps its mode when commands and a second server start next to a server that separates tasks', async () => {
    const location = { folder, databaseUrl: undefined };
    const server = signalbox(location, 'server', { SIGNALBOX_RUN_AS: 'nobody' });
    await server.printed('Signalbox is ready');
    const mode = () => (statSync(folder).mode & 0o777).toString(8);
    expect(mode()).toBe('711');
    for (const [code, ...args] of [
      [0, 'user', 'list'],
      [0, 'backup', '--output', join(folder, 'a.backup')],
      [0, 'vault', 'check'],
      [0, 'project', 'list'],
      [1, 'restore', join(folder, 'a.backup')],
      [1, 'server'],
    ] as const) {
      const [command, ...more] = args;
      expect(await signalbox(location, command, ...more).ended, command).toMatchObject({ code });
      expect(mode(), args.join(' ')).toBe('711');
    }
  });

  it('is not created by a command, which reports that there is no database', async () => {
    const location = { folder: join(folder, 'elsewhere'), databaseUrl: undefined };
    const missing = `There is no Signalbox database in ${location.folder}: set SIGNALBOX_DATA or DATABASE_URL to the value that the server uses, or start the server first.\n`;
    const add = ['--login', 'jane', '--name', 'Jane', '--email', 'jane@example.com', '--password', 'correct horse'];
    const refuse = async () => {
      for (const args of [['list'], ['add', ...add]])
        expect(await signalbox(location, 'user', ...args).ended).toEqual({ code: 1, output: missing });
    };
    await refuse();
    expect(existsSync(location.folder)).toBe(false);
    mkdirSync(location.folder);
    await refuse();
    expect(readdirSync(location.folder)).toEqual([]);
  });

  it('is locked by exactly one of many simultaneous processes, and is free afterwards', () => {
    for (let round = 0; round < 20; round++) {
      const unlock = lockFolder(folder);
      expect(() => lockFolder(folder)).toThrow(`process ${process.pid}`);
      unlock();
    }
  });

  it('contains the socket of the local runner, unless its path is too long', () => {
    expect(runnerSocketPath(folder)).toBe(join(folder, 'runner.sock'));
    const deep = join(folder, 'x'.repeat(100));
    const path = runnerSocketPath(deep);
    onTestFinished(() => rmSync(join(path, '..'), { recursive: true, force: true }));
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(107);
    expect(path).not.toContain('xxx');
    expect(runnerSocketPath(deep)).toBe(path);
    expect(runnerSocketPath(`${deep}y`)).not.toBe(path);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });
});

describe('the files of the server', () => {
  it('are readable by its user only', async () => {
    const server = signalbox({ folder, databaseUrl: undefined }, 'server');
    await server.printed('Signalbox is ready');
    for (const name of ['signalbox.db', 'signalbox.db-wal', 'logs.db', 'encryption.key', 'server.lock']) {
      expect(existsSync(join(folder, name)), name).toBe(true);
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    }
    expect(readFileSync(join(folder, 'encryption.key'), 'utf8')).not.toBe('');
  });
});
