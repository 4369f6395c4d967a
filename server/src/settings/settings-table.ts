import { Settings } from '../config.ts';
import { SETTING_DESCRIPTIONS } from './setting-descriptions.ts';

type Name = keyof typeof SETTING_DESCRIPTIONS;

const HEAD = '| setting | default | meaning |';

const objectText = (data: object): string => (Object.keys(data).length === 0 ? '' : JSON.stringify(data));

/** The default as it would be written in the environment. */
const defaultOf = (name: Name): string => {
  const { unset } = SETTING_DESCRIPTIONS[name];
  if (unset !== undefined) return unset;
  const { data } = Settings.shape[name].safeParse(undefined);
  const text = Array.isArray(data) ? data.join(',') : typeof data === 'object' ? objectText(data) : String(data ?? '');
  return text === '' ? 'none' : `\`${text}\``;
};

/** The table of all settings with defaults and descriptions. Names and defaults come from the schema. */
export const settingsTable = (): string =>
  [
    HEAD,
    '| --- | --- | --- |',
    ...(Object.keys(Settings.shape) as Name[]).map(
      (name) => `| \`${name}\` | ${defaultOf(name)} | ${SETTING_DESCRIPTIONS[name].meaning} |`,
    ),
  ].join('\n');

/** Returns the page with its table replaced. */
export const withTable = (page: string): string => {
  const start = page.indexOf(HEAD);
  const end = page.indexOf('\n\n', start);
  if (start < 0 || end < 0) throw new Error('The page has no table of settings.');
  return page.slice(0, start) + settingsTable() + page.slice(end);
};
