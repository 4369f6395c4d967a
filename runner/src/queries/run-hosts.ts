import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JobSpec, QueryAnswer } from '@signalbox/contract/link';
import type { Apps } from '../apps/apps.ts';
import type { Environments } from '../environments/environments.ts';
import { PreparationError } from '../errors/preparation-error.ts';
import { Masker } from '../output/masker.ts';
import { RUN_MARKER } from '../process/process-table.ts';
import { runReaped } from '../process/reaped-program.ts';
import { type Commit, prepareRun } from '../runs/preparation/prepare-run.ts';
import { phaseClock } from '../workspace/phase-clock.ts';
import { RunLog } from '../workspace/run-log.ts';
import type { RunnerContext } from '../workspace/runner-context.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What listing the hosts of a run needs of the runner. */
export interface RunHostsContext {
  readonly context: RunnerContext;
  readonly apps: Apps;
  readonly environments: Environments;
}

/** Maximum bytes of a listing of hosts. */
const MAX_LISTING = 16 * 1024 * 1024;

const failing = (detail: string) =>
  new PreparationError('preparation', detail, { code: 'hosts.unresolved', params: { detail } });

/** The folder of a query for what its programs must not see. */
export const privateFolderOf = ({ path }: Workspace): string => join(dirname(dirname(path)), `${basename(path)}-keys`);

/** Removes the private folders of queries that an earlier process of the runner could not end. */
export const removePrivateFolders = async (data: string): Promise<void> => {
  for (const name of await readdir(data))
    if (/^query-.*-keys$/.test(name)) await rm(join(data, name), { recursive: true, force: true });
};

/** Ansible's own error in what it printed. */
const errorIn = (printed: string): string =>
  /(?:ERROR! |\[ERROR\]: )(.{1,400})/.exec(printed)?.[1] ?? (printed.trim().slice(-400) || 'there is no output');

/**
 * Lists the hosts that a run would target. Prepares the run like the run itself, and lets its program print the hosts.
 * @throws PreparationError
 */
export const runHosts = async (
  given: JobSpec,
  { context, apps, environments }: RunHostsContext,
  workspace: Workspace,
  { marker, signal, timeoutMs }: { readonly marker: string; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<QueryAnswer> => {
  const app = apps.of(given);
  const listing = app.listRunHosts?.(given);
  if (!listing) throw failing('the app has no hosts');
  // The log of a query is not kept.
  const log = new RunLog({ output: '/dev/null', times: '/dev/null' });
  try {
    let commit: Commit | undefined;
    const folder = privateFolderOf(workspace);
    const { argv, env, cwd, user } = await prepareRun(
      {
        job: listing.job,
        context,
        log,
        done: phaseClock(log),
        marker,
        signal,
        privateFolder: join(folder, 'private'),
        containerFolder: join(folder, 'container'),
        recordUse: async () => undefined,
        recordVersions: async () => undefined,
      },
      {
        app,
        environments,
        workspace,
        onCommit: async (found) => {
          commit = found;
        },
      },
    );
    const [program = '', ...args] = argv;
    const end = await runReaped(program, args, {
      base: context.base,
      cwd,
      env: { ...env, [RUN_MARKER]: marker, ANSIBLE_NOCOLOR: '1', ANSIBLE_FORCE_COLOR: '0', ANSIBLE_NOCOWS: '1' },
      timeoutMs,
      signal,
      maxOutput: MAX_LISTING,
      user: user ? workspace.user : undefined,
    });
    if (end.error === 'timeout') throw failing('listing the hosts took too long');
    if (end.code !== 0) throw failing(errorIn(`${end.stdout}\n${end.stderr}`));
    const hosts = listing.read(end.stdout);
    const masker = new Masker(apps.secretsOf(given));
    const secret_hosts = hosts.filter((host) => masker.spans(host).length > 0);
    return { ask: 'run_hosts', hosts, secret_hosts, commit: commit?.hash ?? null };
  } finally {
    log.close();
  }
};
