import type { System } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { signInOptionsQuery, systemQuery } from '../../api/queries.ts';
import { runnersQuery } from '../../api/runner-queries.ts';
import { numberText, storageText } from '../../lang/locale.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar, PageHeader } from '../../ui/page/page.tsx';
import { useNowAs } from '../../ui/time/clock.ts';
import { durationText } from '../../ui/time/time.ts';
import { Ago } from '../../ui/time/times.tsx';
import { LogStoreValues } from './log-store-values.tsx';
import { ServerList } from './server-list.tsx';
import css from './system-page.module.css';
import { type SystemWarning, warningsOf } from './system-warnings.ts';
import { Values } from './values.tsx';
import { WaitingGroups } from './waiting-groups.tsx';

const REFRESH_MS = 5_000;
const MINUTE_MS = 60_000;
const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

const Section = ({ title, count, children }: { title: ReactNode; count?: number; children: ReactNode }) => {
  const id = useId();
  return (
    <section className={css.section} aria-labelledby={id}>
      <h2 id={id}>
        {title} {count === undefined ? null : <span className={css.total}>{numberText(count)}</span>}
      </h2>
      {children}
    </section>
  );
};

const Remedy = ({ warning: { to, runner } }: { warning: SystemWarning }) => {
  const { t } = useTranslation();
  if (runner !== undefined)
    return (
      <Link to="/runners/$runnerId" params={{ runnerId: runner }}>
        {t('systemPage.toRunner')}
      </Link>
    );
  return to ? <Link to={to}>{t('systemPage.toRunners')}</Link> : null;
};

const Warnings = ({ system }: { system: System }) => {
  const { t } = useTranslation();
  const now = useNowAs((at) => Math.floor(at / MINUTE_MS)) * MINUTE_MS;
  const { data: runners = [] } = useQuery({ ...runnersQuery(), refetchInterval: REFRESH_MS });
  const { data: options } = useQuery(signInOptionsQuery());
  const program = options?.command ?? 'signalbox';
  const warnings = warningsOf(t, system, runners, now);
  return (
    <div className={css.warnings} role="status">
      {warnings.length === 0 ? <Alert colour="ok">{t('systemPage.well')}</Alert> : null}
      {warnings.map((warning) => (
        <Alert key={warning.id} colour="stop" action={<Remedy warning={warning} />}>
          {warning.text}
          {warning.command === undefined ? null : <pre className={css.command}>{`${program} ${warning.command}`}</pre>}
        </Alert>
      ))}
    </div>
  );
};

const Runners = ({ runners }: Pick<System, 'runners'>) => {
  const { t } = useTranslation();
  const { connected, total, busy, slots, draining, paused } = runners;
  const ofAll = (part: number, all: number): string =>
    t('runners.tasksOf', { tasks: numberText(part), slots: numberText(all) });
  return (
    <Values
      values={[
        [t('systemPage.connected'), ofAll(connected, total)],
        [t('systemPage.slots'), ofAll(busy, slots)],
        [t('systemPage.paused'), numberText(paused)],
        [t('systemPage.draining'), numberText(draining)],
      ]}
    />
  );
};

const DatabaseValues = ({ database }: Pick<System, 'database'>) => {
  const { t } = useTranslation();
  const { kind, version, bytes, connections, oldest_transaction_seconds: oldest } = database;
  const values: (readonly [string, ReactNode])[] = [
    [t('system.database'), `${DATABASES[kind]} ${version}`],
    [t('systemPage.size'), storageText(bytes)],
    [
      t('systemPage.lastBackup'),
      database.last_backup === null ? t('systemPage.never') : <Ago key="backup" at={database.last_backup} />,
    ],
    [t('systemPage.migrations'), `${database.migrations} (${database.last_migration})`],
  ];
  if (connections)
    values.push([
      t('systemPage.connections'),
      t('runners.tasksOf', { tasks: connections.open, slots: connections.maximum }),
    ]);
  if (oldest !== null) values.push([t('systemPage.oldestTransaction'), durationText(oldest * 1000)]);
  return <Values values={values} />;
};

/** Whether the installation works, for administrators: servers, waiting tasks, runners and database. */
export const SystemPage = ({ back }: { back: ReactNode }) => {
  const { t } = useTranslation();
  const query = useQuery({ ...systemQuery(), refetchInterval: REFRESH_MS });
  const system = query.data;
  return (
    <>
      <PageHeader title={t('systemPage.title')} before={back} />
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {system ? (
        <>
          <Warnings system={system} />
          <Section title={t('systemPage.servers')} count={system.servers.length + system.undescribed_servers}>
            <ServerList servers={system.servers} undescribed={system.undescribed_servers} />
          </Section>
          <Section title={t('systemPage.waiting')} count={system.queue.waiting}>
            <WaitingGroups queue={system.queue} />
          </Section>
          <Section title={<Link to="/runners">{t('runners.title')}</Link>}>
            <Runners runners={system.runners} />
          </Section>
          <Section title={t('system.database')}>
            <DatabaseValues database={system.database} />
            <p className={css.remark}>
              <Link to="/storage">{t('storage.byProject')}</Link>
            </p>
          </Section>
          {system.log_store ? (
            <Section title={t('systemPage.logStore')}>
              <LogStoreValues store={system.log_store} />
            </Section>
          ) : null}
        </>
      ) : (
        <div className={css.coming} aria-busy={query.isPending} />
      )}
    </>
  );
};
