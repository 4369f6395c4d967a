import type { Failure } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { failureCauses } from '../../lang/failure-causes.ts';

/** What failed: a common cause in the language of the user, else the message if there is one. */
export const failureText = (t: TFunction, { cause, title, result }: Pick<Failure, 'cause' | 'title' | 'result'>) => {
  const known = cause === null ? title : failureCauses.own({ code: `cause.${cause}` }, title);
  const text = known === '' ? failureCauses.own({ code: 'no_message' }) : known;
  return result === 'unreachable' ? t('cluster.unreachable', { reason: text }) : text;
};
