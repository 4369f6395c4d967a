import type { References } from '@signalbox/contract';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { isAnyNamed, UsedByList } from '../../ui/dialogs/used-by-list.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import css from './resources.module.css';

interface UsedByProps {
  project: number;
  /** Key of the query. */
  of: QueryKey;
  references: () => Promise<References>;
}

/**
 * The objects that use an object, below its form. They are loaded when the list is opened. Their links open new
 * tabs, so that typed values are not lost.
 */
export const UsedBy = ({ project, of, references }: UsedByProps) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: of, queryFn: references, enabled: isOpen, staleTime: 0 });
  return (
    <details className={css.usedBy} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('usedBy.heading')}</summary>
      {data ? (
        <>
          <UsedByList project={project} references={data} links={{ target: '_blank' }} />
          {isAnyNamed(data) || data.used_by_hidden ? null : <p>{t('usedBy.nothing')}</p>}
        </>
      ) : null}
      {error && !data ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
    </details>
  );
};
