import type { WebhookCall } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { webhookCallQuery } from '../../api/queries.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { exactTime } from '../../ui/time/time.ts';
import { CallResult } from './call-result.tsx';
import { type Sample, sampleOf } from './webhook-values.ts';
import css from './webhooks.module.css';

interface CallDialogProps {
  project: number;
  received: WebhookCall;
  onTry: (sample: Sample) => void;
  onClose: () => void;
}

/** A received call with its headers and its body. */
export const CallDialog = ({ project, received, onTry, onClose }: CallDialogProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(webhookCallQuery(project, received.webhook_id, received.id));
  return (
    <Dialog
      opened
      isRead
      width={720}
      title={t('webhooks.call')}
      which={exactTime(received.time)}
      onClose={onClose}
      footer={
        <>
          <span className="grow">
            <CallResult result={received.result} />
          </span>
          <Button variant="quiet" onClick={onClose}>
            {t('action.close')}
          </Button>
          <Button disabled={!data} onClick={() => data && onTry(sampleOf(data))}>
            {t('webhooks.tryThis')}
          </Button>
        </>
      }
    >
      {error ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
      <h3 className={css.partTitle}>{t('webhooks.headers')}</h3>
      <pre className={css.text} aria-busy={!data && !error}>
        {data ? Object.entries(data.headers).map(([name, value]) => `${name}: ${value}\n`) : ''}
      </pre>
      <h3 className={css.partTitle}>{t('webhooks.body')}</h3>
      <pre className={css.text}>{data ? sampleOf(data).body : ''}</pre>
    </Dialog>
  );
};
