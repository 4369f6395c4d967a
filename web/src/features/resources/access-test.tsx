import type { AccessTest as Result } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import css from './access-test.module.css';

export interface AccessTestProps {
  /** Has a runner try what is in the form. */
  ask: () => Promise<Result>;
  /** Whether there is enough in the form to try. */
  isReady: boolean;
  onResult?: (result: Result) => void;
}

const wordsOf = (t: TFunction, { branches, took_ms }: Result): string => {
  const seconds = (took_ms / 1000).toFixed(1);
  if (branches === null) return t('access.works', { seconds });
  return t('access.opens', { count: branches.length, seconds });
};

/** A button that has a runner try the way in, and what came of it. Give it the key of what it tries: another form, another test. */
export const AccessTest = ({ ask, isReady, onResult }: AccessTestProps) => {
  const { t } = useTranslation();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: ask,
    ...(onResult ? { onSuccess: onResult } : {}),
  });
  const failure = error ? errorText(error) : data && !data.works ? data.reason : undefined;
  return (
    <div className={css.test}>
      <Button busy={isPending} disabled={!isReady} onClick={() => mutate()}>
        {t(isPending ? 'access.testing' : 'access.test')}
      </Button>
      <div className={css.result} role="status">
        {failure !== undefined && !isPending ? <Alert lamp="error">{failure}</Alert> : null}
        {data?.works && !isPending ? (
          <Alert lamp="ok">
            {wordsOf(t, data)}
            {data.key ? (
              <span className={css.key}>
                {data.key.type} {data.key.bits} {data.key.fingerprint}
              </span>
            ) : null}
          </Alert>
        ) : null}
      </div>
    </div>
  );
};
