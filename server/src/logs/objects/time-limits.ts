/** Tries of a request to an S3 store. */
export const TRIES = 3;
/** Maximum pause after the first try, in milliseconds. Each later one is twice as long. */
export const PAUSE_MS = 300;
/** Maximum time of one try, in milliseconds. A write sends up to 32 MiB. */
export const READ_TRY_MS = 3_000;
export const WRITE_TRY_MS = 120_000;

const allTries = (ms: number): number => TRIES * ms + PAUSE_MS * (2 ** (TRIES - 1) - 1);

/** Maximum time of a read or a removal, in milliseconds: enough for all tries. */
export const READ_MS = allTries(READ_TRY_MS) + 1_000;

/** Maximum time of a write, in milliseconds. A write reads afterwards. */
export const WRITE_MS = allTries(WRITE_TRY_MS) + READ_MS;

/** Maximum times of calls to a folder, in milliseconds. A read is a range of less than 1 MiB. */
export const FOLDER_READ_MS = 5_000;
export const FOLDER_WRITE_MS = 120_000;
