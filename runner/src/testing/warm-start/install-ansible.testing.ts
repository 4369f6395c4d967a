import { join } from 'node:path';
import { runProgram } from '../../process/program.ts';

/** Installs a version of ansible-core of PyPI into a folder. @returns the folder of its programs */
export const installAnsible = async (version: string, folder: string): Promise<string> => {
  const venv = join(folder, 'venv');
  const env = {
    PATH: '/usr/bin:/bin',
    PIP_CERT: '/etc/ssl/certs/ca-certificates.crt',
    PIP_INDEX_URL: 'https://pypi.org/simple',
  };
  const made = await runProgram('/usr/bin/python3', ['-m', 'venv', venv], { env, timeoutMs: 120_000 });
  const pip = ['install', '--quiet', '--disable-pip-version-check', `ansible-core==${version}`];
  const installed = await runProgram(join(venv, 'bin', 'pip'), pip, { env, timeoutMs: 300_000 });
  if (made.code !== 0 || installed.code !== 0) throw new Error(`${made.stderr}${installed.stderr}`);
  return join(venv, 'bin');
};
