import { APPS, MIN_RUNS } from 'virtual:routes';
import type { SlowHost, SlowStep, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { templateTimesQuery } from '../../api/run-queries.ts';
import { numberText } from '../../lang/locale.ts';
import { DialogLink } from '../../ui/basics/links.tsx';
import table from '../../ui/lists/table.module.css';
import { LoadError } from '../../ui/page/load-error.tsx';
import { durationText } from '../../ui/time/time.ts';
import { Slower } from './slower.tsx';
import css from './times.module.css';
import { Trend } from './trend.tsx';

/** Steps and hosts that are shown. */
const SHOWN = 10;

const to = (task: number) => ({ t: task, tab: 'timeline', line: undefined, find: undefined, with: undefined }) as const;

const Steps = ({ steps }: { steps: readonly SlowStep[] }) => {
  const { t } = useTranslation();
  return (
    <table className={`${table.table} ${css.table}`} aria-label={t('times.steps')}>
      <thead>
        <tr>
          <th scope="col">{t('times.steps')}</th>
          <th scope="col" className={table.num}>
            {t('times.usual')}
          </th>
          <th scope="col" className={table.num}>
            {t('timeline.share')}
          </th>
          <th scope="col" className="not-phone">
            {t('times.trend')}
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.slice(0, SHOWN).map((step) => (
          <tr key={`${step.play} ${step.name} ${step.step}`}>
            <td title={step.path === '' ? step.play : `${step.play}: ${step.path}`}>
              <DialogLink search={to(step.task_id)}>{step.name}</DialogLink>
            </td>
            <td className={table.num}>{durationText(step.usual_ms)}</td>
            <td className={table.num}>
              {t('timeline.percent', { percent: numberText(Math.round(step.share * 100)) })}
            </td>
            <td className="not-phone">
              <Trend values={step.trend} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Hosts = ({ hosts }: { hosts: readonly SlowHost[] }) => {
  const { t } = useTranslation();
  return (
    <table className={`${table.table} ${css.table}`} aria-label={t('times.hosts')}>
      <thead>
        <tr>
          <th scope="col">{t('times.hosts')}</th>
          <th scope="col" className={table.num}>
            {t('times.usual')}
          </th>
          <th scope="col" className={table.num}>
            {t('times.waitedFor')}
          </th>
        </tr>
      </thead>
      <tbody>
        {hosts.slice(0, SHOWN).map((host) => (
          <tr key={host.host}>
            <td>
              <DialogLink search={to(host.task_id)}>{host.host}</DialogLink>
            </td>
            <td className={table.num}>{durationText(host.usual_ms)}</td>
            <td className={table.num}>{durationText(host.waited_for_ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** How many successful runs are missing until an end is expected. */
const TooFew = ({ runs }: { runs: number }) => {
  const { t } = useTranslation();
  return runs < MIN_RUNS ? <p className="muted">{t('times.tooFew', { count: MIN_RUNS - runs })}</p> : null;
};

/** Where the time of the runs of a template goes. */
export const TemplateTimes = ({ template }: { template: Template }) => {
  const { t } = useTranslation();
  const query = useQuery(templateTimesQuery(template.project_id, template.id));
  const times = query.data;
  if (query.error && !times) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  // Only apps with results of hosts have times.
  if (!times || !APPS[template.app].features.hostResults) return null;
  if (times.steps.length === 0) return <TooFew runs={times.runs.length} />;
  return (
    <section className={css.times} aria-label={t('times.title')}>
      <h2>{t('times.title')}</h2>
      <p className="muted">{t('times.runs', { count: times.runs.length, number: numberText(times.runs.length) })}</p>
      <TooFew runs={times.runs.length} />
      {times.slower ? <Slower template={template} slower={times.slower} /> : null}
      <div className={css.both}>
        <Steps steps={times.steps} />
        {times.hosts.length > 1 ? <Hosts hosts={times.hosts} /> : null}
      </div>
    </section>
  );
};
