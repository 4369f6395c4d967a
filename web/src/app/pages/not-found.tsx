import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState, PageHeader } from '../../ui/page.tsx';
import css from '../shell/shell.module.css';

export const NotFound = () => {
  const { t } = useTranslation();
  return (
    <main className={css.main}>
      <PageHeader title={t('notFound.title')} />
      <EmptyState title={t('notFound.what')} text={t('notFound.text')}>
        <Link to="/">{t('notFound.home')}</Link>
      </EmptyState>
    </main>
  );
};
