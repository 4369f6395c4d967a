import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import css from './leave-guard.module.css';

export interface LeaveGuard {
  /** Whether the confirmation replaces the buttons. */
  isAsking: boolean;
  /** Closes a form without changes; asks for confirmation first if there are changes. */
  close: () => void;
  stay: () => void;
  leave: () => void;
}

/**
 * Asks for confirmation before changes are discarded by a button, by `Esc`, by the Back button, or by closing the page.
 * @param hasChanges whether closing would lose changes
 */
export const useLeaveGuard = (holds: boolean, onLeave: () => void): LeaveGuard => {
  const [isWanted, setWanted] = useState(false);
  const isAsking = isWanted && holds;
  useBlocker({
    disabled: !holds,
    enableBeforeUnload: () => holds,
    shouldBlockFn: ({ action }) => {
      // Navigation by the page itself, such as after saving, needs no confirmation.
      if (action === 'PUSH' || action === 'REPLACE') return false;
      setWanted(true);
      return true;
    },
  });
  return {
    isAsking,
    // A second `Esc` cancels the confirmation: it must not discard the changes.
    close: () => (holds ? setWanted(!isAsking) : onLeave()),
    stay: () => setWanted(false),
    leave: onLeave,
  };
};

/** The confirmation that replaces the buttons of a dialog. */
export const LeaveQuestion = ({ guard }: { guard: LeaveGuard }) => {
  const { t } = useTranslation();
  return (
    <>
      <span className={css.question} role="alert">
        {t('form.discard')}
      </span>
      <Button look="quiet" onClick={guard.stay} autoFocus>
        {t('form.goOn')}
      </Button>
      <Button look="stop" onClick={guard.leave}>
        {t('form.throwAway')}
      </Button>
    </>
  );
};
