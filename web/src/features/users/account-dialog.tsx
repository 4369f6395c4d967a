import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { userQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { OwnAlertTest } from './own-alert-test.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { Tokens } from './tokens.tsx';
import { UserDialog } from './user-dialog.tsx';
import css from './users.module.css';

/** One's own account: who one is, the password, and the tokens of one's programs. */
export const AccountDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const { data: me } = useQuery(userQuery());
  const [isPassword, setPassword] = useState(false);
  if (!me) return null;
  if (isPassword) return <PasswordDialog user={me} onClose={() => setPassword(false)} />;
  return (
    <UserDialog title={t('users.account')} user={me} onClose={onClose}>
      {me.external ? null : (
        <div className={css.password}>
          <Button icon="key" onClick={() => setPassword(true)}>
            {t('users.changePassword')}
          </Button>
        </div>
      )}
      <OwnAlertTest />
      <Tokens />
    </UserDialog>
  );
};
