import type { AccessTest as Result } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { errorTexts } from '../../lang/error-texts.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import css from './access-test.module.css';

export interface AccessTestProps {
  /** Tests the values of the form on a runner. */
  ask: () => Promise<Result>;
  /** Whether the form has enough values for a test. */
  isReady: boolean;
  /** The branch in the form, which must exist in the repository. */
  branch?: string;
  /** Whether a key is tested alone, without a repository. */
  isKeyAlone?: boolean;
  onResult?: (result: Result) => void;
}

const resultText = (t: TFunction, { branches, took_ms }: Result, isKeyAlone: boolean): string => {
  if (isKeyAlone) return t('access.keyOpens');
  const seconds = (took_ms / 1000).toFixed(1);
  if (branches === null) return t('access.works', { seconds });
  return t('access.opens', { count: branches.length, seconds });
};

/** Number of branches that are named when the wanted one is missing. */
const NAMED_BRANCHES = 5;

/** The problem of a test that reached the repository. */
const branchProblem = (t: TFunction, { branches }: Result, branch: string): string | undefined => {
  if (branches === null || branch === '' || branches.includes(branch)) return undefined;
  if (branches.length === 0) return t('access.noBranches');
  const named = branches.slice(0, NAMED_BRANCHES).join(', ');
  return t('access.noBranch', { branch, branches: branches.length > NAMED_BRANCHES ? `${named}, …` : named });
};

/**
 * A button that tests access on a runner, with the result. Set React's `key` to the tested values, so that other values
 * reset the result.
 */
export const AccessTest = ({ ask, isReady, branch = '', isKeyAlone = false, onResult }: AccessTestProps) => {
  const { t } = useTranslation();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const result = await ask();
      if (!result.works) await errorTexts.load();
      return result;
    },
    ...(onResult ? { onSuccess: onResult } : {}),
  });
  const reason = data && errorTexts.text(data.reason_code ?? undefined, data.reason);
  const problem = data?.works ? branchProblem(t, data, branch) : reason;
  const failure = error ? errorText(error) : data && problem;
  return (
    <div className={css.test}>
      <Button busy={isPending} disabled={!isReady} onClick={() => mutate()}>
        {t(isPending ? 'access.testing' : 'access.test')}
      </Button>
      <div className={css.result} role="status">
        {failure !== undefined && !isPending ? <Alert colour="error">{failure}</Alert> : null}
        {data?.works && failure === undefined && !isPending ? (
          <Alert colour="ok">
            {resultText(t, data, isKeyAlone)}
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
