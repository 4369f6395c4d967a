import { z } from 'zod';
import { InstalledApp } from '../apps/apps.ts';
import { CommitChanges, FullHash, MAX_CHANGED_PATH, RepositoryDiff } from '../entities/commit-changes.ts';
import { ProvidedEnvironment } from '../entities/execution-environment.ts';
import { KeyFingerprint, RepositoryFiles, RepositoryScan } from '../entities/repository-access.ts';
import { InventoryHosts, InventoryType } from '../entities/resources.ts';
import { ResultRecord } from '../entities/result.ts';
import { RunVersions } from '../entities/run-versions.ts';
import { Id } from '../fields.ts';
import { EndReason } from '../messages/end-reasons.ts';
import { QueryReason } from '../messages/query-reasons.ts';
import { Access, RepositoryAddress, RepositorySource } from './access.ts';
import { JobSpec } from './job.ts';

/** The version of the messages. It changes when an older server or runner would misread a message. */
export const LINK_PROTOCOL = 5;

/** The oldest version that a server supports: that of the previous minor release. */
export const OLDEST_LINK_PROTOCOL = 4;

/** The interval of heartbeats, and the silence after which a link counts as lost, in milliseconds. */
export const HEARTBEAT_MS = 2_000;
export const LINK_SILENCE_MS = 10_000;

/** Maximum bytes of a frame from a server: a job with a large inventory, escaped. */
export const MAX_SERVER_FRAME = 64 * 1024 * 1024;

/** Maximum bytes of a frame from a runner: the server parses it on the thread that serves everyone. */
export const MAX_RUNNER_FRAME = 3 * 1024 * 1024;

/** Maximum number of earlier processes of its data folder that a runner names. */
export const MAX_PREDECESSORS = 10;

/** WebSocket close code for a runner whose token another process uses. */
export const TOKEN_IN_USE = 4409;

/** WebSocket close code of a runner that ends after it has delivered everything. */
export const RUNNER_ENDED = 4200;

/** Maximum numbers of lines, of result records and of reported runs in a frame from a runner. */
export const MAX_FRAME_LINES = 20_000;
export const MAX_FRAME_RECORDS = 1_000;
export const MAX_REPORTED_RUNS = 5_000;

const run = { task_id: Id, epoch: z.int() };

/** Maximum number of apps that a runner announces. */
const MAX_INSTALLED_APPS = 100;

/** Maximum number of kinds of execution environments that a runner announces. */
const MAX_ENVIRONMENTS = 20;

const ENVIRONMENTS = z.array(ProvidedEnvironment).max(MAX_ENVIRONMENTS);

const INSTALLED_APPS = z.array(InstalledApp).max(MAX_INSTALLED_APPS);

/** Milliseconds since 1970, in the range of dates. */
const Moment = z.number().min(-8.64e15).max(8.64e15);

/** A line of a log. It is stored with a line break after it, so it contains none. */
const LogText = z.string().refine((text) => !text.includes('\n'), 'A line of a log holds no line break.');

/** A short text that is stored or shown in lists. */
const ShortText = z.string().max(10_000);

/**
 * 32 bytes in base64. A runner encrypts the values that it must mask with this key, so that they are not readable on its disk
 * after the run.
 */
const JobKey = z.base64();

const withJobKey = {
  job_key: JobKey.optional().describe('The key of the job, if the run has ended: the runner may have been restarted.'),
};

const orphaned = {
  orphaned: z
    .boolean()
    .optional()
    .describe('True if the task had ended without this runner: the log of the run is kept for a day.'),
};

/** A run and its progress, according to the disk of the runner. */
export const ReportedRun = z.object({
  ...run,
  state: z.enum(['accepted', 'preparing', 'playing', 'ended']).describe('accepted: written, and nothing was executed'),
});
export type ReportedRun = z.infer<typeof ReportedRun>;

export const RunnerQuery = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('branches'),
    repository: RepositorySource,
    tags: z.boolean().optional().describe('Whether to answer the tags too.'),
  }),
  z.object({ ask: z.literal('newest_commit'), repository: RepositorySource }),
  z.object({
    ask: z.literal('hosts'),
    inventory: z.object({ type: InventoryType, inventory: z.string() }),
    repository: RepositorySource.nullable().describe('The repository with the inventory file; null for a text.'),
  }),
  z.object({ ask: z.literal('files'), repository: RepositorySource }),
  z.object({ ask: z.literal('scan'), repository: RepositorySource }),
  z.object({
    ask: z.literal('commit_changes'),
    repository: RepositorySource,
    earlier: FullHash.describe('The first commit.'),
    later: FullHash.describe('The second commit.'),
  }),
  z.object({
    ask: z.literal('repository_diff'),
    repository: RepositorySource,
    earlier: FullHash.describe('The first commit.'),
    later: FullHash.describe('The second commit.'),
    paths: z
      .array(z.string().max(MAX_CHANGED_PATH))
      .max(2)
      .describe('One file and its earlier path; empty for every file.'),
  }),
  z.object({ ask: z.literal('run_hosts'), job: JobSpec.describe('The run whose hosts are listed.') }),
  z.object({
    ask: z.literal('access'),
    access: Access.describe('The key that is tested.'),
    repository: RepositoryAddress.nullable().describe(
      'The repository that the key is tested with; null to test the key only.',
    ),
  }),
]);
export type RunnerQuery = z.infer<typeof RunnerQuery>;

export const QueryAnswer = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('branches'),
    branches: z.array(z.string()),
    tags: z.array(z.string()).optional().describe('Absent without a request, and in answers of earlier runners.'),
  }),
  z.object({ ask: z.literal('newest_commit'), commit: z.string() }),
  z.object({ ask: z.literal('hosts'), ...InventoryHosts.shape }),
  z.object({ ask: z.literal('files'), ...RepositoryFiles.shape }),
  z.object({ ask: z.literal('scan'), ...RepositoryScan.shape }),
  z.object({ ask: z.literal('commit_changes'), ...CommitChanges.shape }),
  z.object({ ask: z.literal('repository_diff'), ...RepositoryDiff.shape }),
  z.object({
    ask: z.literal('run_hosts'),
    hosts: z.array(z.string()).describe('The hosts of all plays, sorted.'),
    secret_hosts: z
      .array(z.string())
      .optional()
      .describe('Those of the hosts whose names contain a secret of the run. Absent in answers of earlier runners.'),
    commit: z.string().nullable().describe('The commit whose playbook was read; null for a plain folder.'),
  }),
  z.object({
    ask: z.literal('access'),
    key: KeyFingerprint.nullable().describe('Null for a key that is not an ssh key.'),
    branches: z.array(z.string()).nullable().describe('Null without a repository, or for a plain folder.'),
  }),
  z.object({
    ask: z.literal('refused'),
    error: z.string().describe('The reason in English.'),
    reason: QueryReason.optional()
      .catch(undefined)
      .describe('The same as a code. Older runners send none. A code that the receiver does not know counts as none.'),
  }),
]);
export type QueryAnswer = z.infer<typeof QueryAnswer>;

/** Required by older servers. Older runners send it instead of an end reason. */
export const EndKind = z.enum([
  'finished',
  'exit_code',
  'repository',
  'preparation',
  'stopped',
  'lost',
  'disk',
  'time_limit',
]);
export type EndKind = z.infer<typeof EndKind>;

/** Messages of a runner to the server. */
export const RunnerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    version: ShortText,
    ansible: ShortText.describe('Version of ansible-core for older servers; empty if it is missing.'),
    apps: INSTALLED_APPS.optional().describe(
      'The apps that the runner can run. Older runners send none: they run Ansible only.',
    ),
    environments: ENVIRONMENTS.optional().describe(
      'The kinds of execution environments that it can provide. Older runners send none: they run programs of the system.',
    ),
    pid: z.int(),
    slots: z.int(),
    run_as: ShortText.nullable().describe(
      'The user as whom it executes tasks; null for the user of the runner itself.',
    ),
    settings: z
      .string()
      .max(100)
      .optional()
      .describe(
        'Digest of the settings with which a server started this runner. Runners that start on their own send none.',
      ),
    process: z
      .uuid()
      .optional()
      .describe('Unique for each process, so that the server can distinguish two processes with one token.'),
    predecessors: z
      .array(z.uuid())
      .max(MAX_PREDECESSORS)
      .default([])
      .describe('Earlier processes of the same data folder, newest first.'),
    draining: z.boolean().optional().describe('True when it accepts no more jobs. Older runners send it later.'),
    replaces_token: z
      .boolean()
      .optional()
      .describe('True if it can store a new token. Runners with a token of their administrator and older ones cannot.'),
    runs: z.array(ReportedRun).max(MAX_REPORTED_RUNS),
  }),
  z.object({
    type: z.literal('heartbeat'),
    runs: z.array(ReportedRun).max(MAX_REPORTED_RUNS),
    draining: z.boolean().optional().describe('True when it accepts no more jobs.'),
    apps: INSTALLED_APPS.optional().describe('The apps that it can run now. Older runners send none.'),
    environments: ENVIRONMENTS.optional().describe(
      'The kinds of execution environments that it can provide now. Older runners send none.',
    ),
  }),
  z.object({ type: z.literal('accepted'), ...run }),
  z
    .object({
      type: z.literal('refused'),
      ...run,
      why: LogText.max(10_000),
      end_reason: EndReason.optional().catch(undefined).describe('The same as a code. Older runners send none.'),
    })
    .describe('The job could not be stored: it is not on the disk and will never be executed.'),
  z.object({
    type: z.literal('commit'),
    ...run,
    commit_hash: z.string().regex(/^[0-9a-f]{1,64}$/),
    commit_message: ShortText.refine((text) => !text.includes('\0'), 'A commit message holds no NUL character.'),
  }),
  z.object({ type: z.literal('started'), ...run }),
  z.object({
    type: z.literal('output'),
    ...run,
    first: z.int().describe('Number of the first line, from 1.'),
    times: z.array(Moment).max(MAX_FRAME_LINES),
    lines: z.array(LogText).max(MAX_FRAME_LINES),
    own: z
      .array(z.int())
      .max(MAX_FRAME_LINES)
      .optional()
      .describe('Numbers of the lines that the runner wrote itself; the others are output.'),
    offset: z.int().describe('Bytes of output.log that are finished once these lines are stored.'),
  }),
  z.object({
    type: z.literal('results'),
    ...run,
    first: z.int(),
    records: z.array(ResultRecord).max(MAX_FRAME_RECORDS),
  }),
  z.object({
    type: z.literal('ended'),
    ...run,
    result: z.enum(['success', 'error', 'stopped']),
    reason: EndKind,
    end_reason: EndReason.optional()
      .catch(undefined)
      .describe(
        'Why the run failed or was stopped. Older runners send none. A code that the receiver does not know counts as none.',
      ),
    versions: RunVersions.optional()
      .catch(undefined)
      .describe('What the run was executed with. Older runners and some apps send none.'),
    lines: z.int().describe('Lines of the complete log, all of which are acknowledged.'),
  }),
  z.object({ type: z.literal('answer'), query_id: z.int(), answer: QueryAnswer }),
  z
    .object({ type: z.literal('token_stored'), id: z.uuid() })
    .describe('The new token is on the disk of the runner, which uses it from now on.'),
]);
export type RunnerMessage = z.infer<typeof RunnerMessage>;

/** Messages of the server to a runner. */
export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), protocol: z.int(), version: z.string() }),
  z.object({
    type: z.literal('job'),
    job: JobSpec,
    job_key: JobKey.describe('Never written to a disk.'),
  }),
  z.object({ type: z.literal('start'), ...run }),
  z.object({
    type: z.literal('resume'),
    ...run,
    next_line: z.int().describe('Number of the first line that is not stored.'),
    offset: z.int().describe('Bytes of output.log that are stored.'),
    next_result: z.int().describe('Number of the first result that is not stored.'),
    ...withJobKey,
  }),
  z.object({ type: z.literal('output_stored'), ...run, next_line: z.int(), offset: z.int() }),
  z.object({ type: z.literal('results_stored'), ...run, next_result: z.int() }),
  z.object({ type: z.literal('stop'), ...run, force: z.boolean() }),
  z
    .object({ type: z.literal('acknowledged'), ...run, ...orphaned, ...withJobKey })
    .describe('The result is stored: the run can be deleted.'),
  z
    .object({ type: z.literal('abandon'), ...run, ...orphaned })
    .describe('The run no longer belongs to this runner: it is killed and deleted.'),
  z
    .object({ type: z.literal('new_token'), id: z.uuid(), token: z.string() })
    .describe('A new token for a runner that announced `replaces_token`. The current one works until `token_stored`.'),
  z.object({ type: z.literal('drain') }).describe('The runner accepts no more jobs and exits after its last run.'),
  z
    .object({
      type: z.literal('query'),
      query_id: z.int().describe('The number of the lease of the query.'),
      lease_ms: z.int().describe('The length of the lease, in milliseconds.'),
      query: RunnerQuery,
    })
    .describe('A query and the secrets that its answer needs, which the runner keeps no longer than the lease.'),
  z
    .object({ type: z.literal('query_ended'), query_id: z.int() })
    .describe('The lease has ended: no answer is expected, and the secrets must be removed.'),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
