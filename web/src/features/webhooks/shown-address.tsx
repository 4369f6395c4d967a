import type { SenderCheck } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { SET_UP } from './webhook-labels.ts';
import css from './webhooks.module.css';

/** The address of a webhook, which is shown only once, and where to enter it. */
export const ShownAddress = ({ address, check }: { address: string; check: SenderCheck }) => {
  const { t } = useTranslation();
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => showToast('ok', t('task.copied')),
      () => showToast('error', t('task.notCopied')),
    );
  return (
    <div className={css.shown}>
      <Alert colour="ok">
        <b>{t('webhooks.once')}</b>
        <div className={css.copy}>
          <code>{address}</code>
          <Button small icon="copy" onClick={() => void copy()}>
            {t('webhooks.copyAddress')}
          </Button>
        </div>
        <p>{t(SET_UP[check])}</p>
      </Alert>
    </div>
  );
};
