import { join } from 'node:path';
import type { PrintJob } from '@signalbox/contract/testing/print-app';
import type { App } from '../../apps/app.ts';
import { insideCheckout } from '../../git/inside-checkout.ts';

/** Prints a file of the repository, and the secret variables that the job has. */
export const makePrint = (): App<PrintJob> => ({
  program: 'cat',
  runTitle: 'Printed',
  version: () => Promise.resolve('1'),
  secretsOf: () => [],
  withoutSecrets: (job) => job,
  check: () => undefined,
  prepare: async ({ job, context }, workspace) => {
    const file = insideCheckout(workspace.paths.checkout, job.playbook, 'The file', 'playbook');
    const secrets = await workspace.secrets.write('secrets.json', JSON.stringify(job.secret_variables));
    return async ({ paths }) => ({
      argv: ['/bin/cat', '--', file, join(secrets)],
      env: paths.environment(context.base),
      cwd: paths.checkout,
    });
  },
  exitLine: ({ code }) => `cat ended with exit code ${code}.`,
  exitReason: ({ code }) => ({ code: 'preparation.failed', params: { detail: `cat ended with exit code ${code}` } }),
});
