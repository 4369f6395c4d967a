import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { userQuery } from '../../api/queries.ts';
import { Button } from '../../ui/basics/button.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { EmailConfirmation } from './email-confirmation.tsx';
import { OwnAlertTest } from './own-alert-test.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { SecondFactorSection, type SecondFactorStep } from './second-factor-section.tsx';
import { Tokens } from './tokens.tsx';
import { UserDialog } from './user-dialog.tsx';
import css from './users.module.css';

const SecondFactorDialog = lazyPart(() => import('./second-factor-dialogs.tsx'), 'SecondFactorDialog');

/** Dialog of the user's own account: profile, password, second factor and API tokens. */
export const AccountDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const { data: me } = useQuery(userQuery());
  const [opened, setOpened] = useState<'password' | SecondFactorStep>();
  const back = () => setOpened(undefined);
  if (!me) return null;
  if (opened === 'password') return <PasswordDialog user={me} onClose={back} />;
  if (opened) {
    return (
      <Suspense>
        <SecondFactorDialog step={opened} onClose={back} />
      </Suspense>
    );
  }
  return (
    <UserDialog title={t('users.account')} user={me} onClose={onClose}>
      <EmailConfirmation user={me} />
      {me.external ? null : (
        <div className={css.password}>
          <Button icon="key" onClick={() => setOpened('password')}>
            {t('users.changePassword')}
          </Button>
        </div>
      )}
      <OwnAlertTest />
      {me.external ? null : <SecondFactorSection onStep={setOpened} />}
      <Tokens />
    </UserDialog>
  );
};
