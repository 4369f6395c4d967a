import { ADMIN_WAITING_REASONS } from 'virtual:routes';
import type { QueuedTask, WaitingReason } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { usePageApps } from '../../apps/page-apps.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { dayAndTime } from '../../ui/time/when-text.ts';
import css from './task.module.css';
import { WaitingLink } from './waiting-link.tsx';

/** Reasons that an administrator has to remove: the task waits until another runner is connected. */
const NO_RUNNER: ReadonlySet<WaitingReason['code']> = new Set(ADMIN_WAITING_REASONS);

const TEXTS: Readonly<Record<WaitingReason['code'], string>> = {
  approval: 'waiting.approval',
  no_runner: 'waiting.noRunner',
  no_runner_with_app: 'waiting.noRunnerWithApp',
  no_runner_with_environment: 'waiting.noRunnerWithEnvironment',
  no_runner_with_tags: 'waiting.noRunnerWithTags',
  no_runner_for_project: 'waiting.noRunnerForProject',
  runners_paused: 'waiting.runnersPaused',
  earlier_task: 'waiting.earlierTask',
  template_busy: 'waiting.templateBusy',
  lock_held: 'waiting.lockHeld',
  lock_ahead: 'waiting.lockAhead',
  hosts_unknown: 'waiting.hostsUnknown',
  hosts_unknown_ahead: 'waiting.hostsUnknownAhead',
  host_held: 'waiting.hostHeld',
  host_ahead: 'waiting.hostAhead',
  project_limit: 'waiting.projectLimit',
  system_limit: 'waiting.systemLimit',
  runners_busy: 'waiting.runnersBusy',
};

/** Texts about a task that holds a lock or hosts, by what is known of its end. */
const HELD_TEXTS = {
  lock_held: { soon: 'waiting.lockHeldSoon', overdue: 'waiting.lockHeldLonger', until: 'waiting.lockHeldUntil' },
  host_held: { soon: 'waiting.hostHeldSoon', overdue: 'waiting.hostHeldLonger', until: 'waiting.hostHeldUntil' },
} as const;

/** The key of the text, which differs by what is known of the task with the lock. */
const keyOf = ({ code, params }: WaitingReason): string => {
  if ((code === 'lock_held' || code === 'lock_ahead') && params.id === 0) return 'waiting.lockTaken';
  if ((code === 'host_held' || code === 'host_ahead') && params.id === 0) return 'waiting.hostTaken';
  if (code === 'no_runner_with_environment' && params.kind === 'virtual') return 'waiting.noRunnerWithVirtual';
  if (code === 'no_runner_with_environment' && params.kind === 'container') return 'waiting.noRunnerWithContainer';
  if (code === 'template_busy' && params.expected_end) return 'waiting.templateBusyUntil';
  if (code !== 'lock_held' && code !== 'host_held') return TEXTS[code];
  if (params.since === '') return HELD_TEXTS[code].soon;
  if (Date.parse(String(params.expected_end)) < Date.now()) return HELD_TEXTS[code].overdue;
  // Two moments of the same minute would show the same time twice.
  const [since, until] = [params.since, params.expected_end].map((moment) => moment && dayAndTime(String(moment)));
  return params.expected_end === '' || since === until ? TEXTS[code] : HELD_TEXTS[code].until;
};

const MOMENTS = ['since', 'expected_end'] as const;

/** The first hosts by name, and the number of the others; nothing for other reasons. */
const shownHosts = (t: TFunction, { host, hosts, others }: WaitingReason['params']): { host?: string } => {
  if (host === undefined) return {};
  const named = String(hosts || host);
  const count = Number(others ?? 0) + 1 - named.split(', ').length;
  return { host: count > 0 ? t('waiting.hostAndMore', { host: named, count }) : named };
};

/** Parameters as the page shows them. */
const shownParams = (t: TFunction, params: WaitingReason['params']): WaitingReason['params'] => ({
  ...params,
  ...shownHosts(t, params),
  ...Object.fromEntries(MOMENTS.filter((name) => params[name]).map((name) => [name, dayAndTime(String(params[name]))])),
});

/** Returns the text of a reason. An app has the title that the page shows. */
export const useWaitingText = (): ((reason: WaitingReason) => string) => {
  const { t } = useTranslation();
  const apps = usePageApps();
  return (reason) => {
    const { params } = reason;
    return t(
      keyOf(reason),
      'app' in params ? { app: apps[String(params.app)]?.title ?? params.app } : shownParams(t, params),
    );
  };
};

/** Notice why a task waits. There is none for a task that a runner is about to get. */
export const WaitingNotice = ({ task }: { task: QueuedTask }) => {
  const text = useWaitingText();
  const { waiting_reason: reason } = task;
  if (!reason) return null;
  return (
    <div className={css.notice}>
      <Alert colour={NO_RUNNER.has(reason.code) ? 'stop' : 'wait'} action={<WaitingLink task={task} />}>
        {text(reason)}
      </Alert>
    </div>
  );
};
