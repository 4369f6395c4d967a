import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from './page.tsx';

const TITLES = {
  page: 'notFound.what',
  project: 'notFound.project',
  view: 'notFound.view',
  template: 'notFound.template',
  task: 'notFound.task',
  webhook: 'notFound.webhook',
  runner: 'notFound.runner',
  host: 'notFound.host',
} as const;

/** Shown in place of an object that does not exist, with a link to another page. */
export const NotFoundNotice = ({ what, children }: { what: keyof typeof TITLES; children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState title={t(TITLES[what])} text={t(what === 'project' ? 'notFound.projectText' : 'notFound.text')}>
      {children}
    </EmptyState>
  );
};
