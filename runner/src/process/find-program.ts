import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** The absolute path of a program on a search path; undefined when it is not installed. */
export const findProgram = (name: string, path: string): string | undefined =>
  path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
