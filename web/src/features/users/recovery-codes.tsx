import { Checkbox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { useLeaveGuard } from '../../ui/dialogs/leave-guard.tsx';
import { snack } from '../../ui/toast/toast-store.ts';
import css from './second-factor.module.css';

const FILE = 'signalbox-recovery-codes.txt';

/** Hands a text to the browser as a file. */
const download = (text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = FILE;
  link.click();
  URL.revokeObjectURL(url);
};

export interface ShownCodes {
  /** None before there are any. */
  codes: readonly string[] | undefined;
  show: (codes: readonly string[]) => void;
  isKept: boolean;
  setKept: (is: boolean) => void;
  /** Whether somebody wanted to leave codes that are not kept. */
  isHeld: boolean;
  /** Leaves, unless there are codes that are not kept. */
  close: () => void;
}

/** Codes that are shown this once, and are not lost by `Esc`, by the browser's way back, or by leaving the page. */
export const useShownCodes = (onLeave: () => void): ShownCodes => {
  const [codes, show] = useState<readonly string[]>();
  const [isKept, setKept] = useState(false);
  const { isAsking, close } = useLeaveGuard(codes !== undefined && !isKept, onLeave);
  return { codes, show, isKept, setKept, isHeld: isAsking, close };
};

/** Recovery codes, the one time that they are shown. Whoever goes on says that they are kept. */
export const RecoveryCodes = ({ shown, onDone }: { shown: ShownCodes; onDone: () => void }) => {
  const { t } = useTranslation();
  const { codes = [], isKept, setKept, isHeld } = shown;
  const heading = useRef<HTMLHeadingElement>(null);
  // What had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => snack('ok', t('secondFactor.copied')),
      () => snack('error', t('task.notCopied')),
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
      {isHeld ? <Alert lamp="error">{t('secondFactor.keepFirst')}</Alert> : null}
      <Checkbox
        label={t('secondFactor.kept')}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Button look="primary" disabled={!isKept} onClick={onDone}>
        {t('secondFactor.done')}
      </Button>
    </div>
  );
};
