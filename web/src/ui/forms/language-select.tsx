import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type LanguageChoice, languageChoice, onLanguageChoice } from '../../lang/language.ts';
import { LANGUAGE_CODES, LANGUAGES } from '../../lang/languages.ts';
import { Icon } from '../basics/icon.tsx';
import { showToast } from '../toast/toast-store.ts';
import css from './language-select.module.css';

/** Language choice for pages without menus: a native select element. */
export const LanguageSelect = () => {
  const { t } = useTranslation();
  const chosen = useSyncExternalStore(onLanguageChoice, languageChoice);
  const choose = (next: LanguageChoice) =>
    void chooseLanguage(next).catch(() => showToast('error', t('language.failed')));
  return (
    <span className={css.language}>
      <Icon name="globe" />
      <select
        aria-label={t('language.menu')}
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value as LanguageChoice)}
      >
        <option value="system">{t('language.system')}</option>
        {LANGUAGE_CODES.map((code) => (
          <option key={code} value={code} lang={LANGUAGES[code].tag}>
            {LANGUAGES[code].name}
          </option>
        ))}
      </select>
    </span>
  );
};
