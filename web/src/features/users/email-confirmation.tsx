import type { User } from '@signalbox/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { infoQuery } from '../../api/queries.ts';
import { deliveryErrorText } from '../../ui/alert-test/delivery-error.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import css from './users.module.css';

/** Warns users that their email address is unconfirmed, and sends a confirmation email. */
export const EmailConfirmation = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const { data: info } = useQuery(infoQuery());
  const mail = useMutation({ mutationFn: () => call('requestAddressProof') });
  if (user.email_proven !== false || !user.email) return null;
  const { fault: error, detail = '' } = mail.data ?? {};
  const failure = mail.error ? errorText(mail.error) : error ? deliveryErrorText(t, error, detail) : undefined;
  return (
    <div className={css.password}>
      <Alert colour="stop">{t('emailConfirmation.text', { email: user.email })}</Alert>
      {info && !info.alert_channels.includes('email') ? (
        <p className={css.help}>{t('emailConfirmation.noMail')}</p>
      ) : null}
      {info?.alert_channels.includes('email') ? (
        <Button icon="send" busy={mail.isPending} onClick={() => mail.mutate()}>
          {t('emailConfirmation.send')}
        </Button>
      ) : null}
      <div role="status">
        {failure === undefined ? null : <Alert colour="error">{failure}</Alert>}
        {failure === undefined && mail.data ? <Alert colour="ok">{t('emailConfirmation.sent')}</Alert> : null}
      </div>
    </div>
  );
};
