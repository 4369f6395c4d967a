import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import type { StatusColour, StatusShape } from '../../../ui/tasks/status.ts';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import css from './overview.module.css';
import type { Needs } from './use-overview.ts';

interface Part {
  readonly to: string;
  readonly count: number;
  readonly label: string;
  readonly icon: readonly [StatusColour, StatusShape];
}

const Entry = ({ part: { count, label, icon }, children }: { part: Part; children?: ReactNode }) => (
  <>
    <StatusIcon colour={icon[0]} shape={icon[1]} />
    <b>{numberText(count)}</b>
    <span>{label}</span>
    {children}
  </>
);

/** One line of counts. Each leads to its part of the page; what is zero is left out. */
export const Pulse = ({ needs: { overview, running, waiting, approvals, notStarted } }: { needs: Needs }) => {
  const { t } = useTranslation();
  const open = overview.failures_total + overview.broken.length;
  const away = overview.runners_away.length;
  const online = overview.runners_online;
  const parts: Part[] = [
    { to: 'failures', count: open, label: t('overview.openFailures', { count: open }), icon: ['error', 'cross'] },
    {
      to: 'approvals',
      count: approvals.length,
      label: t('overview.toApprove', { count: approvals.length }),
      icon: ['stop', 'bars'],
    },
    {
      to: 'running',
      count: running.length,
      label: t('overview.active', { count: running.length }),
      icon: ['active', 'arc'],
    },
    {
      to: 'waiting',
      count: waiting.length,
      label: t('overview.waiting', { count: waiting.length }),
      icon: ['wait', 'clock'],
    },
    {
      to: 'not-started',
      count: notStarted.length,
      label: t('overview.notStarted', { count: notStarted.length }),
      icon: ['wait', 'dashed'],
    },
    { to: 'runners', count: away, label: t('overview.away', { count: away }), icon: ['stop', 'bars'] },
  ];
  return (
    <nav className={css.pulse} aria-label={t('overview.title')}>
      {parts
        .filter(({ count }) => count > 0)
        .map((part) => (
          <a
            key={part.to}
            href={`#${part.to}`}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(part.to)?.scrollIntoView();
            }}
          >
            <Entry part={part} />
          </a>
        ))}
      <span>
        <Entry
          part={{
            to: '',
            count: online,
            label: t('overview.online', { count: online }),
            icon: online > 0 ? ['ok', 'check'] : ['wait', 'dashed'],
          }}
        />
      </span>
    </nav>
  );
};
