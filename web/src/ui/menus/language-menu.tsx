import { useTranslation } from 'react-i18next';
import { IconButton } from '../basics/button.tsx';
import { lazyPart } from '../browser/lazy-part.ts';
import { LazyMenu } from './lazy-menu.tsx';

const load = () => import('./language-menu-list.tsx');
const LanguageMenuList = lazyPart(load, 'LanguageMenuList');

/** Language menu of the pages behind the sign-in page. */
export const LanguageMenu = ({ position }: { position: 'top-end' | 'bottom-end' }) => {
  const { t } = useTranslation();
  const button = <IconButton icon="globe" label={t('language.menu')} />;
  return (
    <LazyMenu load={load} button={button}>
      <LanguageMenuList button={button} position={position} />
    </LazyMenu>
  );
};
