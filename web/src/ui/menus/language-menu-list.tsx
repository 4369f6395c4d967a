import { Menu } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type LanguageChoice, languageChoice, onLanguageChoice } from '../../lang/language.ts';
import { LANGUAGE_CODES, LANGUAGES } from '../../lang/languages.ts';
import { Icon } from '../basics/icon.tsx';
import { showToast } from '../toast/toast-store.ts';
import type { ButtonElement } from './lazy-menu.tsx';
import { OpenedMenu } from './opened-menu.tsx';

export interface LanguageMenuListProps {
  button: ButtonElement;
  position: 'top-end' | 'bottom-end';
}

/** Shows each language by its native name, so that users can read their own in any language. */
export const LanguageMenuList = ({ button, position }: LanguageMenuListProps) => {
  const { t } = useTranslation();
  const chosen = useSyncExternalStore(onLanguageChoice, languageChoice);
  const choose = (next: LanguageChoice) =>
    void chooseLanguage(next).catch(() => showToast('error', t('language.failed')));
  const entry = (choice: LanguageChoice, name: string, lang?: string) => (
    <Menu.Item
      key={choice}
      lang={lang}
      onClick={() => choose(choice)}
      rightSection={choice === chosen ? <Icon name="check" /> : null}
      aria-current={choice === chosen || undefined}
    >
      {name}
    </Menu.Item>
  );
  return (
    <OpenedMenu button={button} position={position} width={180}>
      {entry('system', t('language.system'))}
      <Menu.Divider />
      {LANGUAGE_CODES.map((code) => entry(code, LANGUAGES[code].name, LANGUAGES[code].tag))}
    </OpenedMenu>
  );
};
