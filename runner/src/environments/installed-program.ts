import { PreparationError } from '../errors/preparation-error.ts';
import { findProgram } from '../process/find-program.ts';

/**
 * The absolute path of a program that is installed on the runner.
 * @throws PreparationError if it is not
 */
export const installedProgram = (name: string, path: string): string => {
  const found = findProgram(name, path);
  if (found !== undefined) return found;
  throw new PreparationError('preparation', `${name} is not installed on the runner.`, {
    code: 'program.missing',
    params: { program: name },
  });
};
