import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, cp, lstat } from 'node:fs/promises';
import { relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PreparationError } from '../errors/preparation-error.ts';

/** Minimum size of a file that is copied in chunks, so that a run can be stopped meanwhile, in bytes. */
const LARGE = 16 * 1024 * 1024;

/** Error codes of a file system for a file that may not be read. */
const UNREADABLE = ['EACCES', 'EPERM', 'EIO'];

const named = (error: unknown): { code: string; path: string } => ({
  code: error instanceof Error && 'code' in error ? String(error.code) : '',
  path: error instanceof Error && 'path' in error ? String(error.path) : '',
});

/**
 * Copies a folder: links stay links, also broken ones. Pipes, sockets and devices, which a repository could not
 * contain, are skipped, and so are files that disappear meanwhile. Ends at once when `signal` is aborted.
 * @throws PreparationError if an entry may not be read
 */
export const copyFolder = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  const isForCp = async (source: string, target: string): Promise<boolean> => {
    signal.throwIfAborted();
    const status = await lstat(source).catch((error) => {
      if (named(error).code === 'ENOENT') return undefined;
      throw error;
    });
    if (!status?.isFile()) return status !== undefined && (status.isDirectory() || status.isSymbolicLink());
    if (status.size < LARGE) return true;
    await pipeline(createReadStream(source), createWriteStream(target, { mode: 0o600 }), { signal });
    // The umask removes bits from the modes of new files.
    await chmod(target, status.mode & 0o777);
    return false;
  };
  try {
    await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: 0, filter: isForCp });
  } catch (error) {
    signal.throwIfAborted();
    const { code, path } = named(error);
    if (!UNREADABLE.includes(code)) throw error;
    const what = relative(from, path) || 'it';
    throw new PreparationError(
      'repository',
      `The local repository cannot be copied: ${what} cannot be read (${code}).`,
      { code: 'git.file_unreadable', params: { repository: '', path: relative(from, path) || '.' } },
    );
  }
};
