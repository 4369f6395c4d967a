import type { TaskComparison } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import css from './comparison.module.css';

const Names = ({ text, hosts, count }: { text: string; hosts: readonly string[]; count: number }) => {
  const { t } = useTranslation();
  if (count === 0) return null;
  const more = count - hosts.length;
  return (
    <>
      <h3>{text}</h3>
      <p className={css.names}>
        {hosts.map((host) => (
          <code key={host}>{host}</code>
        ))}
        {more > 0 ? <span className="muted">{t('host.more', { count: more })}</span> : null}
      </p>
    </>
  );
};

/** The hosts that only one of two runs had. */
export const ComparedHosts = ({ hosts }: { hosts: NonNullable<TaskComparison['hosts']> }) => {
  const { t } = useTranslation();
  const { added, added_count, removed, removed_count, same_count } = hosts;
  const texts = {
    added: t('compare.added', { count: added_count, number: numberText(added_count) }),
    removed: t('compare.removed', { count: removed_count, number: numberText(removed_count) }),
  };
  return (
    <section className={css.part} aria-label={t('task.tabHosts')}>
      <h2>{t('task.tabHosts')}</h2>
      <p className="muted">{t('compare.sameHosts', { count: same_count, number: numberText(same_count) })}</p>
      <Names text={texts.added} hosts={added} count={added_count} />
      <Names text={texts.removed} hosts={removed} count={removed_count} />
    </section>
  );
};
