import type { AccessDecision } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/basics/icon.tsx';
import css from './access.module.css';
import { outcomeOf, reasonText } from './access-text.ts';

const OUTCOMES = {
  yes: { icon: 'check', text: 'grants.yes' },
  limited: { icon: 'lock', text: 'grants.limited' },
  no: { icon: undefined, text: 'grants.no' },
} as const;

/** Whether a member has a right, and why. */
export const AccessCell = ({ decision, role }: { decision: AccessDecision; role: string }) => {
  const { t } = useTranslation();
  const outcome = outcomeOf(decision);
  const { icon } = OUTCOMES[outcome];
  return (
    <span className={css.decision} data-outcome={outcome}>
      {icon ? <Icon name={icon} /> : <span aria-hidden className={css.dash} />}
      <span>
        {t(OUTCOMES[outcome].text)}
        <small>{reasonText(t, decision, role)}</small>
      </span>
    </span>
  );
};
