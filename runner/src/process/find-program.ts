import { accessSync, constants, readFileSync, statSync } from 'node:fs';
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

/** The Python of a script's first line, if it is an absolute path. */
export const interpreterOf = (script: string): string | undefined =>
  /^#!\s*(\/\S+\/python[\d.]*)\s*$/.exec(readFileSync(script, 'utf8').split('\n', 1)[0] ?? '')?.[1];
