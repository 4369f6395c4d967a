import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../bin/signalbox.mjs', import.meta.url));

/** Settings that are secrets. A command shows them as variables, so the user has to set these in the shell. */
const SECRETS = ['DATABASE_URL', 'SIGNALBOX_ENCRYPTION_KEY', 'SIGNALBOX_OTHER_ENCRYPTION_KEYS'];

type Environment = Readonly<Record<string, string | undefined>>;

const quoted = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const canRun = (folder: string, program: string): boolean => {
  try {
    accessSync(join(folder, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns what a user types before the name of a command, in a shell on this machine, to run it on the data of this
 * server. Paths are absolute, so it works in every folder. It contains no secret.
 */
export const shellCommand = (environment: Environment, dataFolder: string): string => {
  const { SIGNALBOX_CONFIG: file, SIGNALBOX_DATABASE_PASSWORD_FILE: passwordFile, PATH = '' } = environment;
  const hasNode = PATH.split(':').some((folder) => folder !== '' && canRun(folder, 'node'));
  return [
    ...(file ? [`SIGNALBOX_CONFIG=${quoted(resolve(file))}`] : []),
    `SIGNALBOX_DATA=${quoted(dataFolder)}`,
    ...(passwordFile ? [`SIGNALBOX_DATABASE_PASSWORD_FILE=${quoted(passwordFile)}`] : []),
    ...SECRETS.filter((name) => environment[name]).map((name) => `${name}="$${name}"`),
    ...(hasNode ? [] : [quoted(process.execPath)]),
    quoted(PROGRAM),
  ].join(' ');
};
