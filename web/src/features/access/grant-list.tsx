import type { Grant } from '@signalbox/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { dayText, listText } from '../../lang/locale.ts';
import { limitTexts } from '../../ui/access/limit-texts.ts';
import { IconButton } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import table from '../../ui/lists/table.module.css';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './access.module.css';
import { type GrantNames, RIGHT_LABELS, subjectText } from './access-text.ts';

interface GrantListProps {
  project: number;
  grants: readonly Grant[];
  names: GrantNames;
  onEdit: (grant: Grant) => void;
}

/** The grants on a template and on its view. */
export const GrantList = ({ project, grants, names, onEdit }: GrantListProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { deletion, ask, confirm, close } = useDeletion<Grant & { readonly name: string }>({
    remove: ({ id }) => call('deleteGrant', { params: { project_id: project, grant_id: id } }),
    onRemoved: async ({ name }) => {
      showToast('ok', t('grants.revoked', { name }));
      await client.invalidateQueries({ queryKey: queryKey.grants(project) });
    },
    onRefused: (text) => showToast('error', text),
  });
  if (grants.length === 0) return <p className={css.none}>{t('grants.noGrants')}</p>;
  return (
    <>
      <div className={table.scroll}>
        <table className={`${table.table} ${css.table}`}>
          <thead>
            <tr>
              <th scope="col">{t('grants.who')}</th>
              <th scope="col">{t('grants.rights')}</th>
              <th scope="col">{t('grants.limits')}</th>
              <th scope="col">{t('grants.grantedBy')}</th>
              <th scope="col">
                <span className="sr">{t('column.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {grants.map((grant) => {
              const who = subjectText(t, grant, names);
              return (
                <tr key={grant.id}>
                  <td className={css.wide}>
                    {who}
                    {grant.view_id === null ? null : <small className={css.groups}> {t('grants.onView')}</small>}
                  </td>
                  <td data-label={t('grants.rights')}>
                    {listText(grant.rights.map((right) => t(RIGHT_LABELS[right])))}
                  </td>
                  <td data-label={t('grants.limits')}>
                    {listText(limitTexts(t, grant, names.inventories, names.survey)) || '–'}
                  </td>
                  <td data-label={t('grants.grantedBy')}>
                    {grant.granted_by_name}, {dayText(new Date(grant.created))}
                  </td>
                  <td className={`${css.actions} ${css.wide}`}>
                    <IconButton
                      icon="edit"
                      label={t('grants.editGrantOf', { name: who })}
                      onClick={() => onEdit(grant)}
                    />
                    <IconButton
                      icon="trash"
                      label={t('grants.revokeOf', { name: who })}
                      onClick={() => ask({ ...grant, name: who })}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {deletion ? (
        <ConfirmDialog
          title={t('grants.revoke')}
          which={deletion.item.name}
          action={t('grants.revoke')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        >
          <p>{t('grants.revokeText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
