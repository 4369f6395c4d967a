import type { JobSpec } from '@signalbox/contract/link';
import type { App } from '../../apps/app.ts';
import { requestOf } from '../../environments/environment.ts';
import type { Environments } from '../../environments/environments.ts';
import { ownDetail } from '../../errors/own-detail.ts';
import { inRepository, PreparationError } from '../../errors/preparation-error.ts';
import { accessRepository, checkOut } from '../../git/checkout.ts';
import { gitEnvironment } from '../../git/git.ts';
import { shownUrl } from '../../git/repository-address.ts';
import type { SupervisorCommand } from '../../process/idle-supervisor.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import { FolderAccessError } from '../../process/process-user.ts';
import type { Preparation } from '../../workspace/preparation.ts';
import type { OwnedWorkspace, Workspace } from '../../workspace/workspace.ts';

export interface Commit {
  readonly hash: string;
  readonly message: string;
}

/** What the supervisor starts. */
type PreparedCommand = Omit<SupervisorCommand, 'time_limit'>;

export interface RunToPrepare {
  readonly app: App<JobSpec>;
  readonly environments: Environments;
  readonly workspace: Workspace;
  /** Called when the commit is known; never called for a plain folder. */
  readonly onCommit: (commit: Commit) => Promise<void>;
}

const createWorkspace = async ({ log }: Preparation, workspace: Workspace): Promise<OwnedWorkspace> => {
  const { owned, repaired } = await workspace.create().catch((error: unknown) => {
    if (!(error instanceof FolderAccessError)) throw error;
    const params = ownDetail('folder_denied', error.message.replace(/\.$/, ''), error.folder);
    throw new PreparationError('preparation', error.message, { code: 'preparation.failed', params });
  });
  for (const path of repaired)
    log.line(`The user ${workspace.user?.name} could not enter ${path}: its mode was repaired.`);
  return owned;
};

/** Checks out the repository. Its key is removed before this resolves, because no program of the run may see it. */
const fetchCode = async (
  { job, context, log, done, marker, signal }: Preparation,
  { secrets, checkout }: OwnedWorkspace,
  onCommit: RunToPrepare['onCommit'],
): Promise<void> => {
  const { url, branch } = job.repository;
  log.line(`Repository: ${shownUrl(url)}${branch === '' ? '' : `, branch ${branch}`}`);
  const env = { ...gitEnvironment(context.base, context.gitConfig), [RUN_MARKER]: marker };
  const source = { ...job.repository, project_id: job.project_id };
  try {
    const repository = await accessRepository(source, context, secrets.folder('git'), { env, signal });
    try {
      const progress = { line: (text: string) => log.line(text), done };
      // A container of a runner without a run user could change files that the checkout shares with the mirror.
      const sharesFiles = context.sharesFiles && job.execution_environment.kind !== 'container';
      const commit = await checkOut(
        job.repository,
        job.commit,
        repository,
        { ...context, sharesFiles },
        checkout,
        progress,
      );
      if (commit) await onCommit(commit);
    } finally {
      await repository.close();
    }
  } catch (error) {
    if (!(error instanceof PreparationError)) throw error;
    throw new PreparationError(error.kind, error.message, inRepository(error.endReason, shownUrl(url)));
  }
};

/**
 * Prepares a run and writes the steps into its log. The steps that every app has come first: the workspace, the code. Then
 * the execution environment and the app write their files, the workspace is given to the run user, the execution environment
 * gets ready, and the app makes the command.
 * @returns what the supervisor starts
 * @throws PreparationError
 */
export const prepareRun = async (
  run: Preparation<JobSpec>,
  { app, environments, workspace, onCommit }: RunToPrepare,
): Promise<PreparedCommand> => {
  const request = requestOf(run, { name: app.program, package: app.pythonPackage ?? '' });
  app.check(run);
  environments.check(request);
  const owned = await createWorkspace(run, workspace);
  await fetchCode(run, owned, onCommit);
  const makeReady = await environments.prepare(request, owned);
  const makeProgramCommand = await app.prepare(run, owned);
  const released = await owned.release(run.signal);
  const environment = await makeReady(released);
  const command = environment.makeCommand(await makeProgramCommand(released, environment));
  return {
    ...command,
    // Every process of the run has this variable, so that all of them can be found and ended.
    env: { ...command.env, [RUN_MARKER]: run.marker },
    cwd: workspace.checkout,
    output_cap: run.context.outputLimit,
    user: command.container ? null : (workspace.user ?? null),
  };
};
