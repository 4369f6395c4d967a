import { Settings } from './config.ts';
import { SETTING_WORDS } from './setting-words.ts';

type Name = keyof typeof SETTING_WORDS;

const HEAD = '| setting | default | meaning |';

/** The value that counts where nothing is set, as it would be written in the environment. */
const defaultOf = (name: Name): string => {
  const { unset } = SETTING_WORDS[name];
  if (unset !== undefined) return unset;
  const { data } = Settings.shape[name].safeParse(undefined);
  const text = Array.isArray(data) ? data.join(',') : typeof data === 'object' ? '' : String(data ?? '');
  return text === '' ? 'none' : `\`${text}\``;
};

/** Every setting with its default and what it means: names and defaults are those of the schema. */
export const settingsTable = (): string =>
  [
    HEAD,
    '| --- | --- | --- |',
    ...(Object.keys(Settings.shape) as Name[]).map(
      (name) => `| \`${name}\` | ${defaultOf(name)} | ${SETTING_WORDS[name].meaning} |`,
    ),
  ].join('\n');

/** The page with its table made anew. */
export const withTable = (page: string): string => {
  const start = page.indexOf(HEAD);
  const end = page.indexOf('\n\n', start);
  if (start < 0 || end < 0) throw new Error('The page has no table of settings.');
  return page.slice(0, start) + settingsTable() + page.slice(end);
};
