import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { runnerRegistrationsQuery } from '../../api/runner-queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { NewRegistration } from './new-registration.tsx';
import { RegisterCommand } from './register-command.tsx';
import { RegistrationList } from './registration-list.tsx';
import css from './registrations.module.css';

/** The registration tokens of runners, and a form for a new one. Its token is shown once, in the command that uses it. */
export const RegistrationTokensDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const { data, error } = useQuery(runnerRegistrationsQuery());
  const [token, setToken] = useState<string>();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('registrations.title')}
      width={640}
      footer={
        <>
          <span className={css.rest} />
          <Button onClick={onClose}>{t('action.close')}</Button>
        </>
      }
    >
      <p className={css.help}>{t('registrations.help')}</p>
      {error ? <Alert colour="error">{errorText(error)}</Alert> : null}
      {token === undefined ? null : <RegisterCommand token={token} />}
      <NewRegistration onCreated={setToken} />
      <RegistrationList registrations={data ?? []} />
    </Dialog>
  );
};
