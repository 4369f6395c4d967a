import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { translate } from '../../lang/translate.ts';
import { sampleSchedule } from '../../testing/sample.ts';
import { distanceText, whenText, zoneText } from './when-text.ts';

const when = (change: Parameters<typeof sampleSchedule>[0]) => whenText(translate as never, sampleSchedule(change));

afterEach(() => chooseLanguage('en'));

describe('the due times of a schedule', () => {
  it.each([
    ['*/15 * * * *', 'Every 15 minutes'],
    ['@hourly', 'Every hour at minute 00'],
    ['0 */6 * * *', 'Every 6 hours'],
    ['@every 1h30m', 'Every 90 minutes'],
    ['@every 1h', 'Every hour'],
    ['@every 25h1m', 'Every 1 day 1 hour 1 minute'],
    ['* * * * *', 'Every minute'],
    ['30 4 * * *', 'Every day at 4:30 AM'],
    ['CRON_TZ=Asia/Tokyo 0 4 * * 1-5', 'Weekdays at 4:00 AM'],
    ['0 11 * * MON,thu', 'Mon and Thu at 11:00 AM'],
    ['0 6,18 * * *', 'Every day at 6:00 AM and 6:00 PM'],
    ['0 3 1,15 * *', 'On day 1 and 15 of each month at 3:00 AM'],
    ['0 3 1 * 1', '0 3 1 * 1'],
    ['0-5 3 * * *', '0-5 3 * * *'],
    ['*/7 * * * *', '*/7 * * * *'],
  ])('%s is a phrase, or the cron if it is not a common one: %s', async (cron_format, text) => {
    await chooseLanguage('en');
    expect(when({ cron_format })).toBe(text);
  });

  it('are in the chosen language', async () => {
    await chooseLanguage('de');
    expect(when({ cron_format: '0 11 * * 1,4' })).toBe('Mo und Do um 11:00');
    expect(when({ cron_format: '5 1 * * *' })).toBe('Täglich um 01:05');
    expect(when({ cron_format: '', interval_seconds: 5400 })).toBe('Alle 90 Minuten');
    await chooseLanguage('ru');
    expect(when({ cron_format: '30 4 * * 1-5' })).toBe('По будням в 04:30');
    const every = (seconds: number) => when({ cron_format: '', interval_seconds: seconds });
    const minutes = [1, 2, 5, 21].map((count) => every(count * 60));
    expect(minutes).toEqual(['Каждую минуту', 'Каждые 2 минуты', 'Каждые 5 минут', 'Каждую 21 минуту']);
    await chooseLanguage('fr');
    expect([every(2 * 86_400), every(7200)]).toEqual(['Tous les 2 jours', 'Toutes les 2 heures']);
  });

  it('have a distance and the city of their zone', () => {
    const now = Date.parse('2026-11-21T10:00:00.000Z');
    expect(distanceText('2026-11-21T10:28:00.000Z', now)).toBe('in 28 minutes');
    expect(distanceText('2026-11-21T10:59:40.000Z', now)).toBe('in 1 hour');
    expect(distanceText('2026-11-25T10:00:00.000Z', now)).toBe('in 4 days');
    expect(zoneText('America/New_York')).toBe('New York');
  });
});
