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
export const useLeaveGuard = (hasChanges: boolean, onLeave: () => void): LeaveGuard => {
  const [isLeaving, setLeaving] = useState(false);
  const isAsking = isLeaving && hasChanges;
  useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: () => hasChanges,
    shouldBlockFn: ({ action }) => {
      // Navigation by the page itself, such as after saving, needs no confirmation.
      if (action === 'PUSH' || action === 'REPLACE') return false;
      setLeaving(true);
      return true;
    },
  });
  return {
    isAsking,
    // A second `Esc` cancels the confirmation: it must not discard the changes.
    close: () => (hasChanges ? setLeaving(!isAsking) : onLeave()),
    stay: () => setLeaving(false),
    leave: onLeave,
  };
};

/** The confirmation that replaces the buttons of a dialog. */
export const LeaveConfirmation = ({ guard }: { guard: LeaveGuard }) => {
  const { t } = useTranslation();
  return (
    <>
      <span className={css.confirmation} role="alert">
        {t('form.discard')}
      </span>
      <Button variant="quiet" onClick={guard.stay} autoFocus>
        {t('form.goOn')}
      </Button>
      <Button variant="stop" onClick={guard.leave}>
        {t('form.throwAway')}
      </Button>
    </>
  );
};
