import type { References } from '@signalbox/contract';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { numberText } from '../../lang/locale.ts';
import { countNamed, UsedByList } from '../../ui/dialogs/used-by-list.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import css from './resources.module.css';

interface UsedByProps {
  project: number;
  /** Key of the query. */
  of: QueryKey;
  references: () => Promise<References>;
}

/**
 * The objects that use an object, below its form; their number is also shown while the list is closed. Their links
 * open new tabs, so that typed values are not lost.
 */
export const UsedBy = ({ project, of, references }: UsedByProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ queryKey: of, queryFn: references, staleTime: 0 });
  const count = data ? countNamed(data) : 0;
  return (
    <details className={css.usedBy}>
      <summary>
        {t('usedBy.heading')}
        {count > 0 ? <small>{numberText(count)}</small> : null}
      </summary>
      {data ? (
        <>
          <UsedByList project={project} references={data} links={{ target: '_blank' }} />
          {count > 0 || data.used_by_hidden ? null : <p>{t('usedBy.nothing')}</p>}
        </>
      ) : null}
      {error && !data ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
    </details>
  );
};
