import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** Whether others than root, the user of this process and its group may change a file, or what a folder contains. */
const canOthersWrite = (status: Stats): boolean => {
  // In a sticky folder such as /tmp, users can replace only what belongs to them.
  if (status.isSymbolicLink() || (status.mode & 0o1000) !== 0) return false;
  return (status.mode & ([0, process.getgid?.()].includes(status.gid) ? 0o002 : 0o022)) !== 0;
};

/** A path and the folders that lead to it. */
const withFolders = (path: string): string[] => (path === '/' ? ['/'] : [path, ...withFolders(dirname(path))]);

/**
 * Requires that only root and the user of this process can change a file and the folders that lead to it.
 * @param path an absolute path
 * @throws Error that names the file or folder that another user can change, or that cannot be read
 */
export const requireTrusted = (path: string): void => {
  for (const one of [...withFolders(path), ...withFolders(realpathSync(path))]) {
    const status = lstatSync(one);
    if (![0, process.getuid?.()].includes(status.uid) || canOthersWrite(status)) {
      throw new Error(`${one} can be changed by another user`);
    }
  }
};
