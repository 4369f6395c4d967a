import type { CommonJob } from '@signalbox/contract/link';
import { secretsOfAccess, secretsOfSource } from '../git/source-secrets.ts';

/** The values of every job that must not show in its log. */
export const commonSecretsOf = (job: CommonJob): string[] => [
  ...secretsOfSource(job.repository),
  ...secretsOfAccess(job.registry_access),
  ...Object.values(job.secret_variables),
  ...Object.values(job.secret_environment),
];

/** A job without the secrets that every job has. */
export const withoutCommonSecrets = <Job extends CommonJob>(job: Job): Job => ({
  ...job,
  repository: { ...job.repository, url: '', access: { type: 'none' } },
  registry_access: { type: 'none' },
  extra_variables: {},
  secret_variables: {},
  secret_environment: {},
  answers: {},
  process_environment: {},
});
