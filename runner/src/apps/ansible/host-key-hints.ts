import { createReadStream } from 'node:fs';
import { hostKeyHint, refusedHostKeys } from '../../ssh/host-keys.ts';
import type { ProgramExit } from '../app.ts';

/** Ansible adds this number to its exit code when hosts were unreachable. */
const UNREACHABLE = 4;

/** Maximum number of hosts that get a line of their own. Further hosts are only counted. */
const MAX_HOSTS = 5;

/**
 * Maximum length of the text that ssh writes about one host. This part is kept from one chunk of the output to the
 * next.
 */
const OVERLAP = 16 * 1024;

/**
 * Lines about hosts whose keys were refused, from the output of a run. Empty if this was not the reason.
 * @param hostKeyFile path of the file that keeps the host keys of the project
 */
export const hostKeyHints = async (exit: ProgramExit, output: string, hostKeyFile: string): Promise<string[]> => {
  if (exit.code === null || (exit.code & UNREACHABLE) === 0 || exit.bytes === 0) return [];
  const found = new Map<string, string>();
  let before = '';
  try {
    for await (const piece of createReadStream(output, {
      end: exit.bytes - 1,
      encoding: 'utf8',
      highWaterMark: 1 << 20,
    })) {
      const text = before + piece;
      for (const error of refusedHostKeys(text)) found.set(error.host, hostKeyHint(error, hostKeyFile));
      before = text.slice(-OVERLAP);
    }
  } catch {
    // Without the output there is no line to return.
  }
  const hints = [...found.values()];
  if (hints.length <= MAX_HOSTS) return hints;
  return [...hints.slice(0, MAX_HOSTS), `The same applies to ${hints.length - MAX_HOSTS} more hosts.`];
};
