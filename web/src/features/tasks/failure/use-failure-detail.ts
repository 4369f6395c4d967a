import type { Task } from '@signalbox/contract';
import { useServerWords } from '../../../lang/use-server-words.ts';
import { failureDetail } from './failure-text.ts';

/** The output of the failed program unchanged; a sentence of Signalbox itself in the language of the console. */
export const useFailureDetail = (failure: Task['failure']): string => {
  const detail = failureDetail(failure);
  const translated = useServerWords(detail);
  return failure?.code === 'key.unusable' ? translated : detail;
};
