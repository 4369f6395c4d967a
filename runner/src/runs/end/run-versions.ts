import { MAX_VERSION_TEXT, RunVersions } from '@signalbox/contract/link';
import { z } from 'zod';
import { readPlainFile } from '../../files/plain-file.ts';
import type { RunFolder } from '../folder/run-folder.ts';

/** The callback plugin writes the versions first, so they are at the start of the events. */
const HEAD_BYTES = 4096;

const text = z.string().max(MAX_VERSION_TEXT);
const Programs = z.object({ kind: z.literal('versions'), ansible: text, python: text });

/** The versions that the callback plugin found when the playbook was started. */
const readPrograms = (events: string): Partial<RunVersions> => {
  try {
    const [first = ''] = readPlainFile(events, HEAD_BYTES).split('\n', 1);
    const { ansible, python } = Programs.parse(JSON.parse(first));
    return { ansible, python };
  } catch {
    return {};
  }
};

const NOTHING: RunVersions = { ansible: null, python: null, image_digest: null, collections: [], roles: [] };

/**
 * What a run was executed with: what its preparation recorded, and what the playbook reported.
 * @param mask removes the secrets of the run
 * @returns undefined if nothing is known
 */
export const runVersions = (folder: RunFolder, mask: (text: string) => string): RunVersions | undefined => {
  const known = { ...folder.readVersions(), ...readPrograms(folder.workspace.events) };
  if (Object.keys(known).length === 0) return undefined;
  const masked: unknown = JSON.parse(JSON.stringify({ ...NOTHING, ...known }), (_, value: unknown) =>
    typeof value === 'string' ? mask(value).slice(0, MAX_VERSION_TEXT) : value,
  );
  return RunVersions.safeParse(masked).data;
};
