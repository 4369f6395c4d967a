import type { MemberAccess, RoleChoice } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../ui/basics/avatars.tsx';
import table from '../../ui/lists/table.module.css';
import css from './access.module.css';
import { roleName } from './access-text.ts';
import { RightCells, RightHeads } from './right-columns.tsx';

interface AccessTableProps {
  members: readonly MemberAccess[];
  roles: readonly RoleChoice[];
  /** The id of the member whose rights are explained. */
  chosen: number | undefined;
  onChoose: (userId: number) => void;
}

/** What each member may do with a template, and why. A click on a name explains the rights of the member. */
export const AccessTable = ({ members, roles, chosen, onChoose }: AccessTableProps) => {
  const { t } = useTranslation();
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${css.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('grants.who')}</th>
            <th scope="col">{t('team.roleTitle')}</th>
            <RightHeads />
          </tr>
        </thead>
        <tbody>
          {members.map((member) => {
            const role = roleName(t, member, roles);
            return (
              <tr key={member.user_id} data-chosen={member.user_id === chosen || undefined}>
                <td className={css.wide}>
                  <span className={css.who}>
                    <PersonAvatar name={member.name} />
                    <span>
                      <button
                        type="button"
                        className={css.name}
                        aria-expanded={member.user_id === chosen}
                        onClick={() => onChoose(member.user_id)}
                      >
                        {member.name}
                      </button>
                      {member.groups.length === 0 ? null : (
                        <small className={css.groups} title={member.groups.join(', ')}>
                          {t('grants.groups', { count: member.groups.length })}
                        </small>
                      )}
                    </span>
                  </span>
                </td>
                <td className={css.wide}>{role}</td>
                <RightCells decisions={member} role={role} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
