import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { hashPath } from '../../files/hash-path.ts';
import type { PythonRequirements } from './python-requirements.ts';
import type { PythonTool } from './python-tool.ts';

/** Increased when the same content is built in another way, so that older entries are no longer used. */
const GENERATION = 1;

interface KeyParts {
  readonly projectId: number;
  /** The program of the app, which a finished build has. */
  readonly program: string;
  readonly checkout: string;
  readonly requirements: PythonRequirements;
  readonly tool: PythonTool;
  /** The variables of the run that decide what is installed. */
  readonly deciding: Readonly<Record<string, string>>;
  /** Today, as requirements that are not pinned are good for a day. */
  readonly day: string;
}

/** The name of the entry in the cache. Projects share none, because a package can be replaced by the index of a project. */
export const virtualKey = async (parts: KeyParts): Promise<string> => {
  const { requirements: found, tool, checkout } = parts;
  // The folder of the checkout differs between runs, so the content of local packages counts instead.
  const inCheckout = (line: string): string => line.replaceAll(checkout, '');
  const hash = createHash('sha256').update(
    JSON.stringify([
      GENERATION,
      [parts.projectId, parts.program],
      [found.requirements.map(inCheckout), found.constraints.map(inCheckout)],
      [tool.name, tool.python, tool.pythonVersion],
      Object.entries(parts.deciding).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      found.isPinned ? '' : parts.day,
    ]),
  );
  for (const path of found.local) {
    hash.update(`\0${relative(checkout, path)}\0`);
    await hashPath(hash, path, true);
  }
  return hash.digest('hex').slice(0, 32);
};
