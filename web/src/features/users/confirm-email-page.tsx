import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { userQuery } from '../../api/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { PageHeader } from '../../ui/page/page.tsx';
import css from './users.module.css';

export interface ConfirmEmailPageProps {
  /** The token of the link; empty if the link has none. */
  token: string;
  /** Link to the console. */
  children: ReactNode;
}

/**
 * The page of a confirmation link. It confirms nothing until the user presses the button: mail scanners open links too,
 * and users must see for which account they confirm an address.
 */
export const ConfirmEmailPage = ({ token, children }: ConfirmEmailPageProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: me } = useQuery(userQuery());
  const confirm = useMutation({
    mutationFn: () => call('confirmAddress', { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKey.user }),
  });
  if (!me) return null;
  const { email, username } = me;
  const canConfirm = !me.email_proven && token !== '' && !confirm.isSuccess;
  return (
    <div className={css.confirm}>
      <PageHeader title={t('emailConfirmation.title')} />
      <div role="status">
        {confirm.isSuccess ? <Alert colour="ok">{t('emailConfirmation.done', { email })}</Alert> : null}
        {me.email_proven && !confirm.isSuccess ? <Alert colour="ok">{t('emailConfirmation.already')}</Alert> : null}
      </div>
      {!me.email_proven && token === '' ? <Alert colour="error">{t('emailConfirmation.incomplete')}</Alert> : null}
      {confirm.error ? <Alert colour="error">{errorText(confirm.error)}</Alert> : null}
      {canConfirm ? (
        <>
          <p>{t('emailConfirmation.ask', { email, username })}</p>
          <p className={css.help}>{t('emailConfirmation.askHelp')}</p>
          <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('emailConfirmation.confirm')}
          </Button>
        </>
      ) : null}
      <p>{children}</p>
    </div>
  );
};
