import { findProgram, interpreterOf } from '../../process/find-program.ts';
import type { WarmStart } from '../../process/warm-child.ts';

/**
 * What a warm process loads for `ansible-playbook`; undefined if it is not installed.
 * @throws Error if it is not a Python script with a plain first line, or cannot be read
 */
export const warmAnsible = (searchPath: string): WarmStart | undefined => {
  const path = findProgram('ansible-playbook', searchPath);
  if (path === undefined) return undefined;
  const interpreter = interpreterOf(path);
  if (interpreter === undefined) throw new Error(`${path} is no Python script with a plain first line`);
  return {
    path,
    interpreter,
    module: 'ansible.cli.playbook',
    configuration: ['ansible.constants'],
    // Parsing them takes longer than everything else that loads the configuration.
    parsed: ['config/base.yml', 'config/ansible_builtin_runtime.yml'],
  };
};
