import type { Queue, WaitingReason } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageApps } from '../../apps/page-apps.ts';
import { numberText } from '../../lang/locale.ts';
import { kindText } from '../../ui/execution-environment/environment-text.ts';
import table from '../../ui/lists/table.module.css';
import { Ago } from '../../ui/time/times.tsx';
import css from './system-page.module.css';

const REASONS: Readonly<Record<WaitingReason['code'], string>> = {
  approval: 'queueReasons.approval',
  no_runner: 'queueReasons.noRunner',
  no_runner_with_app: 'queueReasons.noRunnerWithApp',
  no_runner_with_environment: 'queueReasons.noRunnerWithEnvironment',
  no_runner_with_tags: 'queueReasons.noRunnerWithTags',
  earlier_task: 'queueReasons.earlierTask',
  template_busy: 'queueReasons.templateBusy',
  lock_held: 'queueReasons.lockHeld',
  lock_ahead: 'queueReasons.lockAhead',
  hosts_unknown: 'queueReasons.hostsUnknown',
  hosts_unknown_ahead: 'queueReasons.hostsUnknownAhead',
  host_held: 'queueReasons.hostHeld',
  host_ahead: 'queueReasons.hostAhead',
  project_limit: 'queueReasons.projectLimit',
  system_limit: 'queueReasons.systemLimit',
  runners_busy: 'queueReasons.runnersBusy',
  runners_paused: 'queueReasons.runnersPaused',
  no_runner_for_project: 'queueReasons.noRunnerForProject',
};

/** Why tasks wait, with links to them. */
const Reasons = ({ queue: { reasons, reasons_exact } }: { queue: Queue }) => {
  const { t } = useTranslation();
  return (
    <>
      <table className={`${table.table} ${css.narrow}`} aria-label={t('systemPage.reasons')}>
        <thead>
          <tr>
            <th scope="col">{t('systemPage.reason')}</th>
            <th scope="col" className={`${table.num} ${css.count}`}>
              {t('runners.tasks')}
            </th>
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ code, count }) => (
            <tr key={code}>
              <td className={css.text}>
                {code === null ? (
                  t('queueReasons.starting')
                ) : (
                  <Link to="/tasks" search={{ q: code }}>
                    {t(REASONS[code])}
                  </Link>
                )}
              </td>
              <td className={table.num}>{numberText(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {reasons_exact ? null : <p className={css.remark}>{t('systemPage.estimated')}</p>}
    </>
  );
};

/** What waiting tasks need of a runner. */
const Groups = ({ queue: { groups, more_groups } }: { queue: Queue }) => {
  const { t } = useTranslation();
  const apps = usePageApps();
  return (
    <>
      <table className={`${table.table} ${css.narrow}`} aria-label={t('systemPage.needs')}>
        <thead>
          <tr>
            <th scope="col">{t('systemPage.needs')}</th>
            <th scope="col" className={`${table.num} ${css.count}`}>
              {t('runners.tasks')}
            </th>
            <th scope="col" className={css.oldest}>
              {t('systemPage.oldest')}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ app, execution_environment: kind, runner_tags, count, oldest }) => (
            <tr key={`${app} ${kind} ${runner_tags.join()}`}>
              <td className={css.text}>
                {[apps[app]?.title ?? app, ...(kind === 'system' ? [] : [kindText(t, kind)]), ...runner_tags].join(
                  ', ',
                )}
              </td>
              <td className={table.num}>{numberText(count)}</td>
              <td>
                <Ago at={oldest} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more_groups > 0 ? <p className={css.remark}>{t('systemPage.moreGroups', { count: more_groups })}</p> : null}
    </>
  );
};

/** Which tasks wait, for what, and why. */
export const WaitingGroups = ({ queue }: { queue: Queue }) => {
  const { t } = useTranslation();
  if (queue.waiting === 0) return <p className={css.remark}>{t('systemPage.noneWaits')}</p>;
  return (
    <div className={css.tables}>
      <div>
        <Reasons queue={queue} />
      </div>
      {queue.groups.length > 0 ? (
        <div>
          <Groups queue={queue} />
        </div>
      ) : null}
    </div>
  );
};
