import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Refusal } from '../steps.mjs';

const run = (cwd: string, file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void => {
  const { status, error } = spawnSync(file, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, LANG: 'C.UTF-8', ...env },
  });
  if (error) throw new Refusal(`${file} cannot be started: ${error.message}.`);
  if (status !== 0) throw new Refusal(`${[file, ...args].join(' ')} ended with ${status}.`);
};

/** Creates a Python virtual environment with these packages in a folder. */
export class PythonTools {
  readonly #folder: string;
  readonly #bin: string;

  constructor(folder: string, packages: readonly string[]) {
    this.#folder = folder;
    const environment = join(folder, 'python');
    run(folder, 'python3', ['-m', 'venv', environment]);
    this.#bin = join(environment, 'bin');
    run(folder, join(this.#bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  }

  /** @throws Refusal when the program ends with an error */
  run(program: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
    run(this.#folder, join(this.#bin, program), args, env);
  }
}
