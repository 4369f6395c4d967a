import { useMediaQuery } from '@mantine/hooks';
import type { Failure } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { numberText } from '../../../lang/locale.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { PageHeader } from '../../../ui/page/page.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { Approvals, NotStarted, RunnersAway } from './attention.tsx';
import { NextDay } from './next-day.tsx';
import { OpenFailures } from './open-failures.tsx';
import css from './overview.module.css';
import { Pulse } from './pulse.tsx';
import { RunningNow } from './running-now.tsx';
import { SlowerTemplates } from './slower-templates.tsx';
import { Trends } from './trends.tsx';
import { type Needs, useLastVisit, useNeeds } from './use-overview.ts';

interface OverviewPageProps {
  project: number;
  tabs: ReactNode;
  charts: ReactNode;
  /** Shown while the project has no tasks. */
  firstSteps?: ReactNode;
  /** Renders the button that takes a failure, or gives it back. */
  assign: (failure: Failure) => ReactNode;
  /** Renders the button that runs the last task with a failure again, on the hosts with it. */
  runOn: (failure: Failure) => ReactNode;
}

/** Windows narrower than this, in pixels, show one column, what needs a person first. */
const NARROW = 900;

const isCalm = ({ overview, approvals, notStarted }: Needs): boolean =>
  overview.failures.length + overview.broken.length + overview.runners_away.length === 0 &&
  approvals.length + notStarted.length === 0;

const Visit = ({ visit, since }: { visit: Needs['overview']['visit']; since: string | undefined }) => {
  const { t } = useTranslation();
  if (since === undefined || visit === null || visit.tasks === 0) return null;
  const { tasks, failed } = visit;
  return (
    <span className={`${css.visit} not-phone`}>
      {t('overview.lastVisit')} <Ago at={since} />{' '}
      {t('overview.visited', { count: tasks, number: numberText(tasks), failed: numberText(failed) })}
    </span>
  );
};

const Parts = ({
  project,
  needs,
  ...buttons
}: Pick<OverviewPageProps, 'project' | 'assign' | 'runOn'> & { needs: Needs }) => {
  const isNarrow = useMediaQuery(`(max-width: ${NARROW}px)`, undefined, { getInitialValueInEffect: false }) ?? false;
  const { overview } = needs;
  const running = (
    <>
      <RunningNow id="running" tasks={needs.running} />
      <RunningNow id="waiting" tasks={needs.waiting} />
    </>
  );
  const failures = <OpenFailures project={project} overview={overview} {...buttons} />;
  const approvals = <Approvals tasks={needs.approvals} />;
  const others = (
    <>
      <NotStarted project={project} schedules={needs.notStarted} />
      <RunnersAway runners={overview.runners_away} />
      <SlowerTemplates project={project} templates={overview.slower} />
    </>
  );
  return (
    <>
      {isNarrow ? (
        <>
          {failures}
          {approvals}
          {running}
          {others}
        </>
      ) : (
        <div className={css.columns}>
          <div>
            {running}
            {failures}
          </div>
          <div>
            {approvals}
            {others}
          </div>
        </div>
      )}
      <NextDay project={project} isNarrow={isNarrow} />
    </>
  );
};

/** The project at a glance: what needs a person, what comes next, and then how its runs go. */
export const OverviewPage = ({ project, tabs, charts, firstSteps, ...buttons }: OverviewPageProps) => {
  const { t } = useTranslation();
  const since = useLastVisit(project);
  const { data: needs, error, retry } = useNeeds(project, since);
  return (
    <>
      <PageHeader title={t('history.dashboard')}>
        {needs ? <Visit visit={needs.overview.visit} since={since} /> : null}
      </PageHeader>
      {tabs}
      {error ? <LoadError text={errorText(error)} retry={retry} /> : null}
      {needs ? (
        <>
          <Pulse needs={needs} />
          {isCalm(needs) ? <p className={css.calm}>{t('overview.calm')}</p> : null}
          {isCalm(needs) ? firstSteps : null}
          <Parts project={project} needs={needs} {...buttons} />
        </>
      ) : null}
      <Trends project={project} charts={charts} />
    </>
  );
};
