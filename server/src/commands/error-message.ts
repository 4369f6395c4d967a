/** Names of expected errors. Compared by name, so that their modules need not be loaded. */
const FOR_PEOPLE = new Set(['StartError', 'ConfigError', 'ApiError']);

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);
/** Codes of system errors that the administrator can resolve. */
const OF_THE_MACHINE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'EFBIG',
  'EMFILE',
  'ENFILE',
  'EISDIR',
  'ENOTDIR',
  'ENOENT',
]);

const ofMachine = ({ code = '', syscall, message }: NodeJS.ErrnoException): string | undefined => {
  if (syscall === undefined || syscall === 'connect') return undefined;
  if (DISK_FULL.has(code)) return `The disk is full (${message}).`;
  return OF_THE_MACHINE.has(code) ? `The system refuses the operation (${message}).` : undefined;
};

/** Returns one sentence for an expected error; undefined for an unexpected one. */
export const messageOf = async (error: unknown): Promise<string | undefined> => {
  if (!(error instanceof Error)) return undefined;
  if (FOR_PEOPLE.has(error.name)) return error.message;
  const { path, syscall } = error as NodeJS.ErrnoException & { path?: string };
  // A socket path in a connection error belongs to the database.
  if (path !== undefined && syscall !== 'connect') return ofMachine(error);
  return ofMachine(error) ?? (await import('../database/why-not-used.ts')).whyNotUsed(error);
};
