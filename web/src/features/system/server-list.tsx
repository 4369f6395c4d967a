import type { SystemServer } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { decimalText, millisecondsText, numberText, storageText } from '../../lang/locale.ts';
import { Ago } from '../../ui/time/times.tsx';
import css from './system-page.module.css';
import { Values } from './values.tsx';

const Server = ({ server, isOnly }: { server: SystemServer; isOnly: boolean }) => {
  const { t } = useTranslation();
  const { host, pid, version, started, load, memory, loop_delay_ms, consoles, runners, notice_ms, disk } = server;
  const values: [string, ReactNode][] = [
    [t('system.version'), version],
    [t('systemPage.started'), <Ago key="started" at={started} />],
    [t('systemPage.load'), decimalText(load)],
    [t('systemPage.memory'), storageText(memory)],
    [t('systemPage.delay'), millisecondsText(loop_delay_ms)],
    [t('systemPage.consoles'), numberText(consoles)],
    [t('system.runners'), numberText(runners)],
    ...(notice_ms === null ? [] : [[t('systemPage.notices'), millisecondsText(notice_ms)] as [string, ReactNode]]),
    [
      t('systemPage.disk'),
      disk ? t('systemPage.diskOf', { free: storageText(disk.free), total: storageText(disk.total) }) : '–',
    ],
  ];
  return (
    <li className={css.server}>
      <h3>
        {host} <span className={css.process}>{t('systemPage.process', { pid })}</span>{' '}
        {server.answered && !isOnly ? <span className={css.answered}>{t('systemPage.answered')}</span> : null}
      </h3>
      <Values values={values} />
    </li>
  );
};

/** The servers of the database, with version and load. */
export const ServerList = ({ servers, undescribed }: { servers: readonly SystemServer[]; undescribed: number }) => {
  const { t } = useTranslation();
  return (
    <>
      <ul className={css.servers}>
        {servers.map((server) => (
          <Server key={server.id} server={server} isOnly={servers.length === 1} />
        ))}
      </ul>
      {undescribed > 0 ? <p className={css.remark}>{t('systemPage.undescribed', { count: undescribed })}</p> : null}
    </>
  );
};
