import { finishRestore } from '../backup/restored-folder.ts';
import { type RunningServer, startServer } from '../composition/server.ts';
import type { Config } from '../config.ts';
import { lockFolder } from '../database/folder-lock.ts';
import { checkRunAs } from '../dispatch/local-runner/run-as.starter.ts';
import { makeDataFolder, setDataFolderMode } from '../files/data-folder.ts';
import { missingKeys } from '../secrets/vault.ts';

/** Maximum duration of an orderly shutdown, in milliseconds. Then the process exits anyway. */
const STOP_MS = 10_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the server until a signal stops it. */
export const runServer = async (config: Config): Promise<void> => {
  // The server must survive when the reader of its log exits or the disk of the log is full.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  makeDataFolder(config.dataFolder);
  const unlock = lockFolder(config.dataFolder);
  setDataFolderMode(config.dataFolder, config.runAs !== '');
  process.on('exit', unlock);
  if (config.runnerSlots > 0 && config.runAs !== '')
    checkRunAs({ name: config.runAs, dataFolder: config.dataFolder, environment: config.runnerEnvironment });
  finishRestore(config.dataFolder);
  const starting = startServer(config);
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    await stopServer(await starting);
    process.exit(0);
  };
  // Before the first output, because a program that reads it may send a signal at once.
  process.on('SIGTERM', () => void end().catch(giveUp));
  process.on('SIGINT', () => void end().catch(giveUp));

  const server = await starting;
  print(`Signalbox is ready at ${server.address}`);
  if (config.runnerSlots > 0 && config.runAs === '') {
    print(
      'Warning: tasks are executed as the user of this server and can read its database and its key. Set SIGNALBOX_RUN_AS to another user to separate them.',
    );
  }
  // The server is running, whatever the result of this check. It may even be stopping.
  const missing = await missingKeys(server.storage.database.read, server.storage.master).catch(() => []);
  if (missing.length > 0) {
    print(
      `Warning: stored secrets were encrypted with the key ${missing.join(', ')}, which is missing, and cannot be used. See ${config.command} vault check`,
    );
  }
  if (server.newPassword !== undefined) {
    print(`Sign in as ${config.admin.login} with the password ${server.newPassword}`);
    print(
      `This password is shown only once. Change it with: ${config.command} user change-by-login --login <name> --password <new>`,
    );
  }
};

const giveUp = (error: Error): void => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exit(1);
};

const stopServer = async (server: RunningServer): Promise<void> => {
  // The shutdown starts first, so that calls are refused even while a silent database does not answer how many tasks
  // run.
  await Promise.all([server.stop(), printRunning(server.storage.database)]);
  print('Signalbox has stopped.');
};

const printRunning = async (database: RunningServer['storage']['database']): Promise<void> => {
  const running = await countRunning(database);
  if (running > 0)
    print(
      `${running} ${running === 1 ? 'task continues' : 'tasks continue'} to run; the next start takes ${running === 1 ? 'it' : 'them'} over.`,
    );
};

const countRunning = async (database: RunningServer['storage']['database']): Promise<number> => {
  try {
    const row = await database.read
      .selectFrom('task')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('status', 'in', ['starting', 'running', 'stopping'])
      .executeTakeFirstOrThrow();
    return Number(row.count);
  } catch {
    return 0;
  }
};
