import { spawnSync } from 'node:child_process';
import { StartError } from '../../start-error.ts';

const LOOKUP_MS = 10_000;

interface RunAs {
  /** The user name in SIGNALBOX_RUN_AS; not empty. */
  readonly name: string;
  readonly dataFolder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Checks that the local runner of this server can execute tasks as another user, and that this user reaches the data
 * folder. Without this check the server would be ready while its runner fails at each start.
 * @throws StartError for a combination of settings that cannot work
 */
export const checkRunAs = ({ name, dataFolder, environment }: RunAs): void => {
  const run = (program: string, args: readonly string[], user: { uid?: number; gid?: number } = {}) =>
    spawnSync(program, args, { ...user, cwd: '/', env: environment, timeout: LOOKUP_MS, encoding: 'utf8' });
  const entry = run('getent', ['passwd', name]);
  const [found, , uidText, gidText] = (entry.stdout ?? '').trim().split(':');
  if (found !== name || !uidText || !gidText)
    throw new StartError(
      `SIGNALBOX_RUN_AS names the user ${name}, which does not exist: create it, or name another one.`,
    );
  const user = { uid: Number(uidText), gid: Number(gidText) };
  if (user.uid === 0) throw new StartError('SIGNALBOX_RUN_AS names the superuser. Name an unprivileged user.');
  if (user.uid === process.getuid?.())
    throw new StartError(
      `SIGNALBOX_RUN_AS names ${name}, the user of this server, so tasks are not separated. Name another user.`,
    );
  if ((run('id', ['-u'], user).stdout ?? '').trim() !== String(user.uid))
    throw new StartError(
      `SIGNALBOX_RUN_AS names ${name}, but only a server that is started as root may run tasks as another user: start it as root, or set SIGNALBOX_RUNNER_SLOTS=0 and start a runner as root.`,
    );
  if (run('stat', ['--', `${dataFolder}/.`], user).status !== 0)
    throw new StartError(
      `The user ${name} of SIGNALBOX_RUN_AS cannot enter ${dataFolder}: let others enter the folders above it (chmod o+x), or set SIGNALBOX_DATA to another folder.`,
    );
};
