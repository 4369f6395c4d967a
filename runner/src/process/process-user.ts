import { statSync } from 'node:fs';
import { runProgram } from './program.ts';
import type { ProcessUser } from './user.ts';

/** Why programs cannot be executed as the run user. */
export class UserError extends Error {}

/** Why the run user cannot reach a folder. */
export class FolderAccessError extends UserError {
  readonly folder: string;

  constructor(message: string, folder: string) {
    super(message);
    this.folder = folder;
  }
}

const LOOKUP_MS = 10_000;
const CHANGE_OWNER_MS = 10 * 60_000;

const isHomeOf = (home: string, uid: number): boolean => {
  const status = statSync(home, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === uid;
};

/** Looks up a user with the name services of this machine, such as files or a directory. */
const lookUp = async (name: string, env: Record<string, string>): Promise<ProcessUser> => {
  const end = await runProgram('getent', ['passwd', name], { env, timeoutMs: LOOKUP_MS });
  const [found, , uid, gid, , home] = end.stdout.trim().split(':');
  if (end.code !== 0 || found !== name || !uid || !gid || !home)
    throw new UserError(`SIGNALBOX_RUN_AS names the user ${name}, who does not exist on this machine.`);
  return { name, uid: Number(uid), gid: Number(gid), home: isHomeOf(home, Number(uid)) ? home : null };
};

/**
 * The configured run user, after checking that this process can execute programs as this user.
 * @throws UserError if there is no such user, if it is the superuser, or if this process may not switch users
 */
export const openUser = async (name: string, env: Record<string, string>): Promise<ProcessUser> => {
  const user = await lookUp(name, env);
  if (user.uid === 0) throw new UserError('SIGNALBOX_RUN_AS names the superuser: name a user without rights.');
  if (user.uid === process.getuid?.())
    throw new UserError(`SIGNALBOX_RUN_AS names ${name}, as whom the runner itself runs: name another user.`);
  const end = await runProgram('id', ['-u'], { env, timeoutMs: LOOKUP_MS, user });
  if (end.stdout.trim() !== String(user.uid))
    throw new UserError(`SIGNALBOX_RUN_AS names ${name}, but only a runner that is started as root may switch users.`);
  return user;
};

/**
 * Checks that a user can enter a folder.
 * @throws FolderAccessError if not
 */
export const requireFolderAccess = async (
  user: ProcessUser,
  folder: string,
  env: Record<string, string>,
): Promise<void> => {
  const end = await runProgram('stat', ['--', `${folder}/.`], { env, timeoutMs: LOOKUP_MS, user });
  if (end.code === 0) return;
  throw new FolderAccessError(
    `The user ${user.name} of SIGNALBOX_RUN_AS cannot enter ${folder}: let others enter it and the folders above it (chmod o+x), or keep the data in another folder.`,
    folder,
  );
};

/**
 * Changes the owner of a tree of files. Links change their owner and are never followed. No other user may have written to
 * the tree before.
 * @throws Error if that is not possible
 */
export const changeOwner = async (
  user: Pick<ProcessUser, 'uid' | 'gid'>,
  paths: readonly string[],
  env: Record<string, string>,
  signal?: AbortSignal,
) => {
  const args = ['-R', '-h', '-P', '--', `${user.uid}:${user.gid}`, ...paths];
  const end = await runProgram('chown', args, { env, timeoutMs: CHANGE_OWNER_MS, ...(signal && { signal }) });
  if (end.code !== 0) throw new Error(`chown failed: ${end.stderr.trim()}`);
};
