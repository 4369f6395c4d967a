import { type EndReason, type EndReasonCode, endedByHosts, MAX_REASON_TEXT } from '@signalbox/contract';
import type { EndKind, RunnerMessage } from '@signalbox/contract/link';
import { brief } from '../../brief.ts';
import type { LogStore } from '../../logs/log-store.ts';

type Ended = Extract<RunnerMessage, { type: 'ended' }>;

/** The end reasons for ends that an older runner reports. */
const OF_KIND: Readonly<Record<EndKind, EndReason>> = {
  finished: { code: 'playbook.failed', params: {} },
  exit_code: { code: 'playbook.failed', params: {} },
  repository: { code: 'git.refused', params: { repository: '', detail: '' } },
  preparation: { code: 'preparation.failed', params: { detail: '' } },
  stopped: { code: 'playbook.failed', params: {} },
  lost: { code: 'supervisor.lost', params: {} },
  disk: { code: 'disk.full', params: {} },
  time_limit: { code: 'time_limit', params: { seconds: null } },
};

/** At most half of `MAX_REASON_TEXT`, because a character may count twice. */
const text = (value: string): string => brief(value, MAX_REASON_TEXT / 2);

/** The end reasons that only a server knows. A runner that reports one of them could blame a user or another runner. */
const OF_SERVERS: ReadonlySet<EndReasonCode> = new Set([
  'stop.user',
  'stop.forced',
  'stop.unreachable',
  'stop.rejected',
  'stop.outdated',
  'stop.unknown',
  'runner.lost',
  'runner.silent',
  'runner.removed',
]);

/** The end reason of a message of a runner; undefined if it sent none, or one that it cannot know. */
export const reasonOfRunner = ({
  end_reason,
}: {
  readonly end_reason?: EndReason | undefined;
}): EndReason | undefined => (end_reason && !OF_SERVERS.has(end_reason.code) ? end_reason : undefined);

/** Number of failures whose causes are compared. */
const COMPARED_FAILURES = 100;

/** The failed hosts, with the name of the first one. Undefined when the results name none. */
const hostsReason = async (taskId: number, logs: LogStore): Promise<EndReason | undefined> => {
  const failures = (await logs.resultFailures(taskId, 1, COMPARED_FAILURES)).records;
  const [first] = failures;
  if (!first) return undefined;
  const { hosts } = await logs.resultSummary(taskId);
  const { steps } = await logs.resultSteps(taskId, first.step, 1);
  const named = { hosts: hosts.total, host: text(first.host) };
  const { unreachable } = hosts;
  if (hosts.failed === 0 && failures.every(({ cause }) => cause === 'host_key_changed'))
    return { code: 'hosts.host_key_changed', params: { ...named, unreachable } };
  const params = { ...named, message: text(first.message) };
  if (hosts.failed === 0) return { code: 'hosts.unreachable', params: { ...params, unreachable } };
  const failed = hosts.total - hosts.ok;
  return { code: 'hosts.failed', params: { ...params, failed, step: text(steps[0]?.name ?? '') } };
};

/**
 * The end reason that the runner reports, with the failed hosts from the results.
 * @returns undefined for a success, and for a stop, whose reason is already stored
 */
export const reportedReason = async (ended: Ended, logs: LogStore): Promise<EndReason | undefined> => {
  if (ended.result !== 'error') return undefined;
  const reason = reasonOfRunner(ended) ?? OF_KIND[ended.reason];
  return (endedByHosts(reason) ? await hostsReason(ended.task_id, logs) : undefined) ?? reason;
};
