import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RunnersPage } from '../../features/system/runners-page.tsx';
import { iconButtonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { ListSearch } from '../search.ts';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';

export const RunnersRoute = () => {
  const { t } = useTranslation();
  const { q, sort }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <>
      <PlainBar />
      <main className={css.main}>
        <RunnersPage
          back={
            <Link to="/" className={iconButtonClass()} aria-label={t('shell.back')} title={t('shell.back')}>
              <Icon name="back" />
            </Link>
          }
          state={{ q, sort }}
          onState={(state) =>
            void navigate({ to: '.', search: (search: ListSearch) => ({ ...search, ...state }), replace: true })
          }
        />
      </main>
    </>
  );
};
