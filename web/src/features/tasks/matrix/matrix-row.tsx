import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { Icon } from '../../../ui/basics/icon.tsx';
import { TextButton } from '../../../ui/basics/text-button.tsx';
import { durationText } from '../../../ui/time/time.ts';
import css from './matrix.module.css';
import type { MatrixHost } from './matrix-host.ts';
import type { Row } from './matrix-rows.ts';
import { groupName } from './matrix-texts.ts';

interface RowBox {
  readonly row: Row;
  readonly top: number;
  readonly height: number;
}

export interface RowHeadProps extends RowBox {
  project: number;
  onToggle: (key: string) => void;
  onMore: (key: string) => void;
}

const HostName = ({ project, host }: { project: number; host: MatrixHost }) => (
  <Link to="/project/$projectId/hosts" params={{ projectId: project }} search={{ q: host.host }} tabIndex={-1}>
    {host.host}
  </Link>
);

const Content = ({ project, row, onToggle, onMore }: Omit<RowHeadProps, 'top' | 'height'>) => {
  const { t } = useTranslation();
  const { group } = row;
  if (row.kind === 'host') return <HostName project={project} host={row.host} />;
  if (row.kind === 'more')
    return (
      <TextButton onClick={() => onMore(group.key)}>
        {t('matrix.more', { count: row.count, number: numberText(row.count) })}
      </TextButton>
    );
  const count = group.hosts.length;
  const name = groupName(t, group);
  const [only] = group.hosts;
  return (
    <>
      {count > 1 ? (
        <button
          type="button"
          className={css.chevron}
          tabIndex={-1}
          aria-expanded={row.isOpen}
          aria-label={name}
          onClick={() => onToggle(group.key)}
        >
          <Icon name={row.isOpen ? 'down' : 'next'} />
        </button>
      ) : (
        <span />
      )}
      <b className={css[group.block]}>{numberText(count)}</b>
      <span className={css.name} title={name}>
        {count === 1 && only ? <HostName project={project} host={only} /> : name}
      </span>
    </>
  );
};

/** The name of a row, with what unfolds it. Its cells are on the canvas. */
export const RowHead = memo(({ top, height, ...content }: RowHeadProps) => (
  <div className={`${css.rowHead} ${css[content.row.kind]}`} style={{ top, height }}>
    <Content {...content} />
  </div>
));

/** The changes and the time of a row. */
export const RowNumbers = memo(({ row, top, height }: RowBox) => {
  const { changed, ms } = row.kind === 'host' ? row.host : row.group;
  const hasNumbers = row.kind !== 'more' && row.group.block !== 'waiting';
  return (
    <div className={`${css.numbers} ${css[row.kind]}`} style={{ top, height }}>
      <span>{hasNumbers ? numberText(changed) : ''}</span>
      <span>{hasNumbers ? durationText(ms) : ''}</span>
    </div>
  );
});
