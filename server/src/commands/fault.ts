/** Told by their names, so that nothing is loaded for a command that needs none of it. */
const FOR_PEOPLE = new Set(['StartError', 'ConfigError', 'ApiError']);

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
/** What the machine refuses and its administrator can mend. */
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
  if (NO_ROOM.has(code)) return `There is no room on the disk (${message}).`;
  return OF_THE_MACHINE.has(code) ? `The machine refuses it (${message}).` : undefined;
};

/** One sentence about a fault that whoever gave the command can mend; undefined for one that only we can. */
export const sentenceOf = async (error: unknown): Promise<string | undefined> => {
  if (!(error instanceof Error)) return undefined;
  if (FOR_PEOPLE.has(error.name)) return error.message;
  const { path, syscall } = error as NodeJS.ErrnoException & { path?: string };
  // A path that is connected to is the socket of a database.
  if (path !== undefined && syscall !== 'connect') return ofMachine(error);
  return ofMachine(error) ?? (await import('../database/why-not-used.ts')).whyNotUsed(error);
};
