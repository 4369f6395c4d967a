import { queryOptions } from '@tanstack/react-query';
import { errorTexts } from '../lang/error-texts.ts';
import { queryKey } from './keys.ts';

/** Loads the texts of errors, for forms that check answers themselves. */
export const errorTextsQuery = queryOptions({
  queryKey: queryKey.errorTexts,
  queryFn: () => errorTexts.load().then(() => true),
});
