import type { HostPage } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Ago } from '../../../ui/time/times.tsx';
import css from './host.module.css';

/** What is known about the host, in one row. */
export const HostValues = ({ project, host }: { project: number; host: HostPage }) => {
  const { t } = useTranslation();
  return (
    <dl className={css.values}>
      {host.inventories.length === 0 ? null : (
        <div>
          <dt>{t('hostPage.inventories')}</dt>
          <dd>
            {host.inventories.map(({ id, name }, at) => (
              <span key={id}>
                {at === 0 ? '' : t('separator.comma')}
                <Link to="/project/$projectId/inventory" params={{ projectId: project }} search={{ edit: id }}>
                  {name}
                </Link>
              </span>
            ))}
          </dd>
        </div>
      )}
      <div>
        <dt>{t('hostPage.lastContact')}</dt>
        <dd>{host.last_contact === null ? t('hostPage.never') : <Ago at={host.last_contact} />}</dd>
      </div>
    </dl>
  );
};
