import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { secondFactorQuery } from '../../api/queries.ts';
import { endSession } from '../../api/session.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { useTitle } from '../../ui/page/page.tsx';
import { useShownCodes } from './recovery-codes.tsx';
import css from './second-factor.module.css';
import { SecondFactorSetup } from './second-factor-setup.tsx';

/** The only page that users see until they set up the required second factor. */
export const SecondFactorRequiredPage = ({ onDone }: { onDone: () => void }) => {
  const { t } = useTranslation();
  useTitle(t('secondFactor.dueTitle'));
  const { data, error } = useQuery({ ...secondFactorQuery(), staleTime: Number.POSITIVE_INFINITY });
  const [first, setFirst] = useState(data);
  if (data && !first) setFirst(data);
  const isNotDue = first !== undefined && (first.active || first.mode !== 'required');
  useEffect(() => {
    if (isNotDue) onDone();
  }, [isNotDue, onDone]);
  const shown = useShownCodes(onDone);
  const signOut = useMutation({ mutationFn: () => call('signOut'), onSuccess: () => endSession('left') });
  const failure = error ?? signOut.error;
  return (
    <main className={css.page}>
      <h1>{t('secondFactor.dueTitle')}</h1>
      <p className={css.before}>{t('secondFactor.dueText')}</p>
      {failure ? <Alert colour="error">{errorText(failure)}</Alert> : null}
      {first && !isNotDue ? <SecondFactorSetup shown={shown} onDone={onDone} /> : null}
      <div className={css.out}>
        <Button variant="quiet" icon="signOut" onClick={() => signOut.mutate()}>
          {t('shell.signOut')}
        </Button>
      </div>
    </main>
  );
};
