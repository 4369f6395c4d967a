const KIBIBYTE = 1024;
export const MEBIBYTE = 1024 * KIBIBYTE;
/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 86_400_000;

/** Largest body of a call that names no limit of its own, in bytes. */
export const DEFAULT_BODY_LIMIT = 256 * KIBIBYTE;

/** The address and the headers of a request together, in bytes. */
export const MAX_HEAD_BYTES = 16 * KIBIBYTE;

/** Headers that a request may have. */
export const MAX_HEADERS = 100;

/** Maximum time for a complete request to arrive, in seconds. */
export const REQUEST_SECONDS = 60;

/** Live sockets that one user may have open with one server. */
export const MAX_LIVE_SOCKETS = 50;

/** Time after which a client that does not read a long response is disconnected, in seconds. */
export const LONG_ANSWER_STALLED_SECONDS = 30;

/** Messages and pings a second that a client may send over a live socket, on average. */
export const LIVE_MESSAGES_PER_SECOND = 20;

/** Messages and pings that a client may send over a live socket in one burst. */
export const LIVE_MESSAGE_BURST = 60;

/** Number of successful runs from which the end of a task is expected. */
export const MIN_RUNS = 3;

/** Maximum number of silent hosts of a step that are named. */
export const MAX_SILENT_HOSTS = 20;

/** Maximum number of the slowest steps, and of the slowest hosts, of a template. */
export const MAX_SLOWEST = 20;

/** Maximum number of failure clusters of a task. Failures beyond them are one cluster. */
export const MAX_CLUSTERS = 200;

/** Maximum number of hosts that a comparison of two runs names. */
export const MAX_COMPARED_HOSTS = 100;

/** Maximum number of lines of one part of a log that are compared, in each run. */
export const MAX_COMPARED_LINES = 20_000;

/** A number of bytes in a readable unit: `256 KiB`, `9 MiB`. */
export const bytesText = (bytes: number): string => {
  if (bytes % MEBIBYTE === 0) return `${bytes / MEBIBYTE} MiB`;
  return bytes % KIBIBYTE === 0 ? `${bytes / KIBIBYTE} KiB` : `${bytes} bytes`;
};
