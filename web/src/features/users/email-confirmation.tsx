import type { User } from '@signalbox/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { infoQuery } from '../../api/queries.ts';
import { faultText } from '../../ui/alert-test/delivery-error.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import css from './users.module.css';

/** Warns users that their email address is unconfirmed, and sends a confirmation email. */
export const AddressProof = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const { data: info } = useQuery(infoQuery());
  const mail = useMutation({ mutationFn: () => call('requestAddressProof') });
  if (user.email_proven !== false || !user.email) return null;
  const { fault, detail = '' } = mail.data ?? {};
  const failure = mail.error ? errorText(mail.error) : fault ? faultText(t, fault, detail) : undefined;
  return (
    <div className={css.password}>
      <Alert lamp="stop">{t('addressProof.text', { email: user.email })}</Alert>
      {info && !info.alert_channels.includes('email') ? <p className={css.help}>{t('addressProof.noMail')}</p> : null}
      {info?.alert_channels.includes('email') ? (
        <Button icon="send" busy={mail.isPending} onClick={() => mail.mutate()}>
          {t('addressProof.send')}
        </Button>
      ) : null}
      <div role="status">
        {failure === undefined ? null : <Alert lamp="error">{failure}</Alert>}
        {failure === undefined && mail.data ? <Alert lamp="ok">{t('addressProof.sent')}</Alert> : null}
      </div>
    </div>
  );
};
