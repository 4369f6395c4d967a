import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from './page.tsx';

const WORDS = {
  page: 'notFound.what',
  project: 'notFound.project',
  view: 'notFound.view',
  template: 'notFound.template',
  task: 'notFound.task',
} as const;

/** Shown in place of an object that does not exist, with a link to another page. */
export const Missing = ({ what, children }: { what: keyof typeof WORDS; children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState title={t(WORDS[what])} text={t(what === 'project' ? 'notFound.projectText' : 'notFound.text')}>
      {children}
    </EmptyState>
  );
};
