import { finishRestore } from '../backup/restored-folder.ts';
import { type RunningServer, startServer } from '../composition/server.ts';
import type { Config } from '../config.ts';
import { makeDataFolder, setDataFolderMode } from '../data-folder.ts';
import { lockFolder } from '../database/folder-lock.ts';
import { checkRunAs } from '../dispatch/run-as.starter.ts';
import { missingKeys } from '../secrets/vault.ts';

/** An orderly end takes no longer; whatever hangs then is given up. */
const STOP_MS = 10_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the server until it is told to end. */
export const runServer = async (config: Config): Promise<void> => {
  // Whoever reads the log may end, and a disk that takes it may be full: the server goes on without being heard.
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
  // Before the first word: whoever reads it may already want the end.
  process.on('SIGTERM', () => void end().catch(giveUp));
  process.on('SIGINT', () => void end().catch(giveUp));

  const server = await starting;
  say(`Signalbox is ready at ${server.address}`);
  if (config.runnerSlots > 0 && config.runAs === '') {
    say(
      'Warning: tasks are executed as the user of this server and can read its database and its key. Set SIGNALBOX_RUN_AS to another user to keep them apart.',
    );
  }
  // The server runs, whether or not this is answered: it may have been told to end meanwhile.
  const missing = await missingKeys(server.storage.database.read, server.storage.master).catch(() => []);
  if (missing.length > 0) {
    say(
      `Warning: stored secrets were encrypted with the key ${missing.join(', ')}, which is missing, and cannot be used. See ${config.command} vault check`,
    );
  }
  if (server.newPassword !== undefined) {
    say(`Sign in as ${config.admin.login} with the password ${server.newPassword}`);
    say(
      `This password is shown only once. Change it with: ${config.command} user change-by-login --login <name> --password <new>`,
    );
  }
};

const giveUp = (error: Error): void => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exit(1);
};

const stopServer = async (server: RunningServer): Promise<void> => {
  // The end begins first: calls are refused from then on, also while a database that is silent does not say how many run.
  await Promise.all([server.stop(), sayRunning(server.storage.database)]);
  say('Signalbox has ended.');
};

const sayRunning = async (database: RunningServer['storage']['database']): Promise<void> => {
  const running = await countRunning(database);
  if (running > 0)
    say(
      `${running} ${running === 1 ? 'task goes' : 'tasks go'} on running; the next start finds ${running === 1 ? 'it' : 'them'} again.`,
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
