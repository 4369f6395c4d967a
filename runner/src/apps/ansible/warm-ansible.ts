import { findProgram, interpreterOf } from '../../process/find-program.ts';
import type { WarmStart } from '../../process/warm-process.ts';

/** What a warm process loads for `ansible-playbook`; undefined if it is not a Python script with a plain first line. */
export const warmAnsible = (searchPath: string): WarmStart | undefined => {
  const path = findProgram('ansible-playbook', searchPath);
  const interpreter = path === undefined ? undefined : interpreterOf(path);
  if (path === undefined || interpreter === undefined) return undefined;
  return {
    path,
    interpreter,
    module: 'ansible.cli.playbook',
    configuration: ['ansible.constants'],
    // Parsing them takes longer than everything else that loads the configuration.
    parsed: ['config/base.yml', 'config/ansible_builtin_runtime.yml'],
  };
};
