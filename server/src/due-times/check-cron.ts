import { ApiError } from '../http/errors/api-error.ts';
import { CronError, parseCron } from './cron.ts';

/** @throws bad_input with the error of the cron, for the field `cron_format` */
export const checkCron = (text: string, timezone: string): void => {
  try {
    parseCron(text, timezone);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    const why = error.reason;
    throw ApiError.ofFields({ cron_format: why }, { code: 'bad_input.cron', params: { why } });
  }
};
