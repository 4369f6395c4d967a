import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The folder of Linux that is kept in memory. */
const MEMORY = '/dev/shm';

/** The tests' folders and PostgreSQL's data fit into half of it. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/** Programs that tests write must be executable. */
const isSuitable = () => {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder]) => folder === MEMORY);
  if (mounted?.[2] !== 'tmpfs' || mounted[3]?.split(',').includes('noexec')) return false;
  accessSync(MEMORY, constants.R_OK | constants.W_OK);
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED_BYTES;
};

/**
 * Returns the folder for temporary files of tests, which make thousands of databases and repositories: in memory where
 * that is possible, else the usual one.
 *
 * @returns {string}
 */
export const quickFolder = () => {
  if (process.env.TMPDIR) return tmpdir();
  try {
    return isSuitable() ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
};
