import type { HostRunOutcome } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import css from './host.module.css';
import { OUTCOMES } from './outcome.ts';

/** Icon and label of how a run ended on a host. */
export const OutcomeLabel = ({ outcome }: { outcome: HostRunOutcome }) => {
  const { t } = useTranslation();
  const { colour, shape, labelKey, quiet } = OUTCOMES[outcome];
  return (
    <span className={`${css.outcome} ${quiet ? css.quiet : colour}`} data-outcome={outcome}>
      <StatusIcon colour={colour} shape={shape} />
      {t(labelKey)}
    </span>
  );
};
