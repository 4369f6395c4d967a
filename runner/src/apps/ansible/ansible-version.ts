import { readFile, stat, writeFile } from 'node:fs/promises';
import { findProgram, interpreterOf } from '../../process/find-program.ts';
import { runProgram } from '../../process/program.ts';

const VERSION = /^\d+\.\d+[\w.]*$/;

const readVersion = async (ansible: string, env: Record<string, string>): Promise<string> => {
  const python = interpreterOf(ansible);
  if (python !== undefined) {
    // A quarter of the time that `ansible-playbook --version` takes.
    const program = 'from importlib.metadata import version; print(version("ansible-core"))';
    const end = await runProgram(python, ['-I', '-c', program], { env, timeoutMs: 10_000 });
    if (end.code === 0 && VERSION.test(end.stdout.trim())) return end.stdout.trim();
  }
  const end = await runProgram(ansible, ['--version'], { env, timeoutMs: 20_000 });
  return /\[core ([\w.]+)\]/.exec(end.stdout)?.[1] ?? '';
};

/**
 * The version of ansible-core; undefined if ansible-playbook is not installed, empty if the version cannot be found out. It is
 * kept in `cacheFile` until another Ansible is installed.
 */
export const ansibleVersion = async (env: Record<string, string>, cacheFile: string): Promise<string | undefined> => {
  const ansible = findProgram('ansible-playbook', env.PATH ?? '');
  if (ansible === undefined) return undefined;
  const key = `${ansible} ${(await stat(ansible)).mtimeMs}`;
  const cached = await readFile(cacheFile, 'utf8').catch(() => '');
  const [knownKey, known] = cached.split('\n');
  if (knownKey === key && known !== undefined) return known;
  const version = await readVersion(ansible, env);
  if (version !== '') await writeFile(cacheFile, `${key}\n${version}`, { mode: 0o600 }).catch(() => undefined);
  return version;
};
