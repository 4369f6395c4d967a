import { Checkbox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { useLeaveGuard } from '../../ui/dialogs/leave-guard.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './second-factor.module.css';

const FILE = 'signalbox-recovery-codes.txt';

/** Downloads a text as a file. */
const download = (text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = FILE;
  link.click();
  URL.revokeObjectURL(url);
};

export interface ShownCodes {
  /** Undefined before the codes are created. */
  codes: readonly string[] | undefined;
  show: (codes: readonly string[]) => void;
  isKept: boolean;
  setKept: (is: boolean) => void;
  /** Whether the user tried to leave before saving the codes. */
  isHeld: boolean;
  /** Leaves, unless there are unsaved codes. */
  close: () => void;
}

/** Codes that are shown only once. `Esc`, the Back button and closing the page ask for confirmation first. */
export const useShownCodes = (onLeave: () => void): ShownCodes => {
  const [codes, show] = useState<readonly string[]>();
  const [isKept, setKept] = useState(false);
  const { isAsking, close } = useLeaveGuard(codes !== undefined && !isKept, onLeave);
  return { codes, show, isKept, setKept, isHeld: isAsking, close };
};

/** Recovery codes, which are shown only once. The user confirms that they are saved before continuing. */
export const RecoveryCodes = ({ shown, onDone }: { shown: ShownCodes; onDone: () => void }) => {
  const { t } = useTranslation();
  const { codes = [], isKept, setKept, isHeld } = shown;
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused element was removed.
  useEffect(() => heading.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => showToast('ok', t('secondFactor.copied')),
      () => showToast('error', t('task.notCopied')),
    );
  return (
    <div className={css.step}>
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        {t('secondFactor.codes')}
      </h3>
      <p>{t('secondFactor.codesText')}</p>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button icon="copy" onClick={() => void copy()}>
          {t('secondFactor.copy')}
        </Button>
        <Button icon="download" onClick={() => download(text)}>
          {t('secondFactor.download')}
        </Button>
      </div>
      {isHeld ? <Alert colour="error">{t('secondFactor.keepFirst')}</Alert> : null}
      <Checkbox
        label={t('secondFactor.kept')}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Button variant="primary" disabled={!isKept} onClick={onDone}>
        {t('secondFactor.done')}
      </Button>
    </div>
  );
};
