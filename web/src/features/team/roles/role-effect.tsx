import type { ProjectUser, RoleChoice, RoleRight } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../lang/locale.ts';
import { roleTitle } from '../../../ui/access/role-labels.ts';
import { listedRights, RIGHT_LABELS } from './role-rights.ts';
import css from './roles.module.css';

interface RoleEffectProps {
  rights: readonly RoleRight[];
  /** The fixed role with which the rights are compared. */
  start: RoleChoice | undefined;
  /** The members with the role; undefined for a role of the system. */
  members: readonly ProjectUser[] | undefined;
}

/** What a role changes: compared with the fixed role that it starts from, and for whom. */
export const RoleEffect = ({ rights, start, members }: RoleEffectProps) => {
  const { t } = useTranslation();
  const before = start?.rights ?? [];
  const names = (list: readonly RoleRight[]) => listText(listedRights(list).map((right) => t(RIGHT_LABELS[right])));
  const held = rights.includes('run_tasks') ? [...rights, 'stop_tasks' as const] : rights;
  const added = rights.filter((right) => !before.includes(right));
  const removed = before.filter((right) => !held.includes(right));
  return (
    <aside className={css.effect} aria-live="polite">
      <h3>{t('roles.effect')}</h3>
      <dl>
        <dt>{start ? t('roles.comparedWith', { role: roleTitle(t, start) }) : null}</dt>
        {added.length === 0 && removed.length === 0 ? <dd>{t('roles.same')}</dd> : null}
        {added.length === 0 ? null : <dd>{t('roles.adds', { rights: names(added) })}</dd>}
        {removed.length === 0 ? null : <dd>{t('roles.removes', { rights: names(removed) })}</dd>}
        {members === undefined ? null : (
          <>
            <dt>{t('roles.people')}</dt>
            <dd>{members.length === 0 ? t('roles.noMembers') : listText(members.map(({ name }) => name))}</dd>
          </>
        )}
      </dl>
      <p>{t('roles.limits')}</p>
    </aside>
  );
};
