import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

/** The Python that a script names in its first line, when that is a program by its path. */
export const interpreterOf = (script: string): string | undefined =>
  /^#!\s*(\/\S+\/python[\d.]*)\s*$/.exec(readFileSync(script, 'utf8').split('\n', 1)[0] ?? '')?.[1];

/**
 * The Python that Ansible itself runs with. The `python3` of a search path may be a version manager's script, which takes
 * longer than all else that starting a run does; it is only what is left when Ansible names none.
 */
export const findPython = (path: string): string => {
  const ansible = findProgram('ansible-playbook', path);
  const python = ansible === undefined ? undefined : interpreterOf(ansible);
  return (python !== undefined && findProgram(basename(python), dirname(python))) || 'python3';
};
