import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import css from './leave-guard.module.css';

export interface LeaveGuard {
  /** The question stands where the buttons were. */
  isAsking: boolean;
  /** Closes what holds nothing; asks first where something would be lost. */
  close: () => void;
  stay: () => void;
  leave: () => void;
}

/**
 * Asks before what was typed is thrown away: by a button, by `Esc`, by the browser's way back, or by leaving the page.
 * @param holds whether something would be lost
 */
export const useLeaveGuard = (holds: boolean, onLeave: () => void): LeaveGuard => {
  const [isWanted, setWanted] = useState(false);
  const isAsking = isWanted && holds;
  useBlocker({
    disabled: !holds,
    enableBeforeUnload: () => holds,
    shouldBlockFn: ({ action }) => {
      // What the page itself goes to, such as after saving, is meant.
      if (action === 'PUSH' || action === 'REPLACE') return false;
      setWanted(true);
      return true;
    },
  });
  return {
    isAsking,
    // A second `Esc` takes the question back: it must not be the answer that loses everything.
    close: () => (holds ? setWanted(!isAsking) : onLeave()),
    stay: () => setWanted(false),
    leave: onLeave,
  };
};

/** The question, in the place of the buttons of a dialog. */
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
