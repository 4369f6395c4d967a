import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { projectsQuery } from '../../api/queries.ts';
import { Logo } from '../../ui/basics/logo.tsx';
import { LanguageMenu } from '../../ui/menus/language-menu.tsx';
import css from './shell.module.css';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserMenu } from './user-menu.tsx';

/** The header of pages outside a project, which have no drawer. */
export const PlainBar = () => {
  const { t } = useTranslation();
  const { data: projects } = useSuspenseQuery(projectsQuery());
  return (
    <header className={css.plain}>
      <div className={css.brand}>
        <Logo />
        {projects.length > 0 ? <Link to="/">{t('product')}</Link> : <span>{t('product')}</span>}
      </div>
      <div className={css.plainUser}>
        <UserMenu />
        <LanguageMenu position="bottom-end" />
        <ThemeSwitch />
      </div>
    </header>
  );
};
