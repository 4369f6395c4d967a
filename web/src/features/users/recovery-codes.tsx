import { Checkbox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { snack } from '../../ui/snackbar-store.ts';
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

/** Recovery codes, the one time that they are shown. Whoever goes on says that they are kept. */
export const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => {
  const { t } = useTranslation();
  const [isKept, setKept] = useState(false);
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
