import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { requireFolderAccess } from './process-user.ts';
import type { ProcessUser } from './user.ts';

const ENTER = 0o011;

const mayBeEntered = async (folder: string): Promise<boolean> => ((await stat(folder)).mode & ENTER) === ENTER;

const ancestorsOf = (folder: string): string[] => {
  const above = dirname(folder);
  return above === folder ? [folder] : [...ancestorsOf(above), folder];
};

/**
 * Checks before a run that its user can still reach the workspaces: another program may have changed the mode of a
 * parent folder since the runner started.
 * @param own folders of Signalbox among the parents of `root`; their mode is repaired
 * @returns the folders whose mode was repaired
 * @throws FolderAccessError with the first other folder that the user cannot enter
 */
export const restoreFolderAccess = async (
  user: ProcessUser,
  own: readonly string[],
  root: string,
  env: Record<string, string>,
): Promise<string[]> => {
  const repaired: string[] = [];
  for (const folder of own) {
    if (await mayBeEntered(folder)) continue;
    await chmod(folder, ((await stat(folder)).mode & 0o7777) | ENTER);
    repaired.push(folder);
  }
  // An access control list may let the user in despite the mode, so the operating system has to be asked.
  for (const folder of ancestorsOf(root))
    if (!(await mayBeEntered(folder))) await requireFolderAccess(user, folder, env);
  return repaired;
};
