import type { ExecutionEnvironment } from '@signalbox/contract';
import type { EnvironmentKindOf, ReadyEnvironment } from './environment.ts';
import { installedProgram } from './installed-program.ts';

type SystemEnvironment = Extract<ExecutionEnvironment, { kind: 'system' }>;

/** The programs that are installed on the runner. */
export const systemPrograms = (base: Readonly<Record<string, string>>): ReadyEnvironment => ({
  program: (name) => installedProgram(name, base.PATH ?? ''),
  makeCommand: ({ argv, env }) => ({ argv: [...argv], env: { ...env } }),
});

/** Runs use the programs that are installed on the runner. */
export const makeSystem = (): EnvironmentKindOf<SystemEnvironment> => ({
  detect: () => Promise.resolve({ program: '', version: '' }),
  check: ({ base, program }) => {
    installedProgram(program.name, base.PATH ?? '');
  },
  prepare: ({ base }) => Promise.resolve(() => Promise.resolve(systemPrograms(base))),
});
