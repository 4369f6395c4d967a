import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../files/durable-file.ts';
import { runProgram } from '../../process/program.ts';
import type { ProcessUser } from '../../process/user.ts';

const REMOVAL_MS = 10 * 60_000;

/** What the folders of builds begin with. */
export const BUILD = 'build-';

/** The file that names the finished build of an entry. Only the runner writes it. */
const CURRENT = 'current.json';

const BuiltEnvironment = z.object({
  /** Name of its folder in the entry. */
  folder: z.string().regex(/^build-[0-9a-f]+$/),
  /** Version of its Python. */
  python: z.string(),
  /** Version of the package that has the program of the app. */
  version: z.string(),
});
export type BuiltEnvironment = z.infer<typeof BuiltEnvironment>;

/** The finished build of an entry; undefined without one. */
export const readCurrent = (entry: string): BuiltEnvironment | undefined => {
  try {
    return BuiltEnvironment.parse(JSON.parse(readFileSync(join(entry, CURRENT), 'utf8')));
  } catch {
    return undefined;
  }
};

export const writeCurrent = (entry: string, built: BuiltEnvironment): Promise<void> =>
  writeDurably(join(entry, CURRENT), JSON.stringify(built));

/** Removes folders with the program rm, which follows no link that a program of the build may have made. */
export const removeFolders = async (
  parent: string,
  names: readonly string[],
  env: Record<string, string>,
  user?: ProcessUser,
): Promise<void> => {
  const paths = names.map((name) => join(parent, name));
  if (paths.length === 0) return;
  const end = await runProgram('rm', ['-rf', '--', ...paths], { env, timeoutMs: REMOVAL_MS, user });
  if (end.code !== 0) throw new Error(`rm failed: ${end.stderr.trim().slice(0, 500)}`);
};
