import type { ExecutionEnvironment, ProvidedEnvironment } from '@signalbox/contract';
import type { TFunction } from 'i18next';

const KINDS: Readonly<Record<string, string>> = {
  system: 'executionEnvironment.kind.system',
  virtual: 'executionEnvironment.kind.virtual',
  container: 'executionEnvironment.kind.container',
} satisfies Record<ExecutionEnvironment['kind'], string>;

/** The name of a kind. A kind that only newer runners know is shown as it is. */
export const kindText = (t: TFunction, kind: string): string => (KINDS[kind] ? t(KINDS[kind]) : kind);

/** The kinds that a runner provides, with the programs that make them. */
export const providedText = (t: TFunction, environments: readonly ProvidedEnvironment[]): string =>
  environments
    .map(({ kind, program, version, error }) => {
      const name = kindText(t, kind);
      const full = program === '' ? name : `${name} (${`${program} ${version}`.trim()})`;
      return error === undefined ? full : t('executionEnvironment.broken', { name: full, error });
    })
    .join(', ');

/** An execution environment as one text, for a choice in a list. */
export const environmentText = (t: TFunction, environment: ExecutionEnvironment): string =>
  [kindText(t, environment.kind), ...environmentParts(environment)].join(' ');

/** What an execution environment is made of; empty for the programs of the runner. */
export const environmentParts = (environment: ExecutionEnvironment): readonly string[] => {
  if (environment.kind === 'system') return [];
  if (environment.kind === 'container') return [environment.image];
  const lines = environment.requirements.split('\n').filter((line) => line.trim() !== '');
  return environment.requirements_file === '' ? lines : [...lines, environment.requirements_file];
};
