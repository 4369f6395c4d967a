import type { SystemInfo } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { infoQuery } from '../../api/queries.ts';
import { usePageApps } from '../../apps/page-apps.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import css from './system.module.css';

const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

const SystemValues = ({ info }: { info: SystemInfo }) => {
  const { t } = useTranslation();
  const apps = usePageApps();
  const values: [string, ReactNode][] = [
    [t('system.version'), info.version],
    ...Object.entries(apps).map(([name, { title }]): [string, ReactNode] => [
      title,
      info.apps.find((app) => app.name === name)?.version || t('system.noAnsible'),
    ]),
    [t('system.database'), DATABASES[info.database]],
    [t('system.runners'), t('system.connected', { count: info.runners })],
  ];
  return (
    <>
      {info.separated === false ? <Alert colour="stop">{t('system.notSeparated')}</Alert> : null}
      {info.runners === 0 ? <Alert colour="stop">{t('waiting.noRunner')}</Alert> : null}
      <dl className={css.values}>
        {values.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
};

/** Information about this installation and warnings for administrators. */
export const SystemDialog = ({ onClose, children }: { onClose: () => void; children?: ReactNode }) => {
  const { t } = useTranslation();
  const query = useQuery(infoQuery());
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('system.title')}
      width={520}
      footer={
        <>
          <span className={css.rest}>{children}</span>
          <Button onClick={onClose}>{t('action.close')}</Button>
        </>
      }
    >
      {query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null}
      {query.data ? <SystemValues info={query.data} /> : <div className={css.coming} aria-busy={query.isPending} />}
    </Dialog>
  );
};
