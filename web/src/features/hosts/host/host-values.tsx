import type { HostFactValues, HostPage } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { decimalText } from '../../../lang/locale.ts';
import { Ago } from '../../../ui/time/times.tsx';
import css from './host.module.css';

const MB_PER_GB = 1024;

const Value = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** The distribution with its whole version, which may begin with the major version at the end of its name. */
const systemText = ({ distribution = '', distribution_version: version = '' }: HostFactValues): string => {
  const name = distribution.split(' ');
  const major = name.at(-1) ?? '';
  return [...(version.startsWith(major) ? name.slice(0, -1) : name), version].filter((part) => part !== '').join(' ');
};

/** Address, system and hardware, from the facts of the host. */
const FactValues = ({ facts }: { facts: HostFactValues }) => {
  const { t } = useTranslation();
  const { address, kernel, processors, memory } = facts;
  const system = systemText(facts);
  const gigabytes = memory === undefined ? undefined : decimalText(Math.round((memory / MB_PER_GB) * 10) / 10);
  const hardware = [
    processors === undefined ? undefined : t('hostPage.processors', { count: processors }),
    gigabytes === undefined ? undefined : t('hostPage.memory', { size: gigabytes }),
  ].filter((part) => part !== undefined);
  return (
    <>
      {address === undefined ? null : (
        <Value label={t('hostPage.address')}>
          <span className="mono">{address}</span>
        </Value>
      )}
      {system === '' && kernel === undefined ? null : (
        <Value label={t('hostPage.system')}>
          {[system, kernel === undefined ? '' : t('hostPage.kernel', { version: kernel })]
            .filter((part) => part !== '')
            .join(t('separator.comma'))}
        </Value>
      )}
      {hardware.length === 0 ? null : (
        <Value label={t('hostPage.hardware')}>{hardware.join(t('separator.comma'))}</Value>
      )}
    </>
  );
};

/** What is known about the host, in one row. */
export const HostValues = ({ project, host }: { project: number; host: HostPage }) => {
  const { t } = useTranslation();
  return (
    <dl className={css.values}>
      {host.facts === null ? null : <FactValues facts={host.facts.facts} />}
      {host.groups.length === 0 ? null : (
        <Value label={t('hostPage.groups')}>
          {host.groups.map((group, at) => (
            <span key={group}>
              {at === 0 ? '' : t('separator.comma')}
              <Link to="/project/$projectId/hosts" params={{ projectId: project }} search={{ ofGroup: group }}>
                {group}
              </Link>
            </span>
          ))}
        </Value>
      )}
      {host.inventories.length === 0 ? null : (
        <Value label={t('hostPage.inventories')}>
          {host.inventories.map(({ id, name }, at) => (
            <span key={id}>
              {at === 0 ? '' : t('separator.comma')}
              <Link to="/project/$projectId/inventory" params={{ projectId: project }} search={{ edit: id }}>
                {name}
              </Link>
            </span>
          ))}
        </Value>
      )}
      <Value label={t('hostPage.lastContact')}>
        {host.last_contact === null ? t('hostPage.never') : <Ago at={host.last_contact} />}
      </Value>
    </dl>
  );
};
