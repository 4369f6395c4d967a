import type { MemberAccess } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { memberTemplatesQuery } from '../../api/access-queries.ts';
import { errorText } from '../../api/api-error.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import table from '../../ui/lists/table.module.css';
import { LoadError } from '../../ui/page/load-error.tsx';
import css from './access.module.css';
import { RightCells, RightHeads } from './right-columns.tsx';

interface MemberTemplatesProps {
  project: number;
  member: MemberAccess;
  /** The name of the role of the member. */
  role: string;
  onClose: () => void;
}

/** What a member may do with each template of the project, and why. */
export const MemberTemplates = ({ project, member, role, onClose }: MemberTemplatesProps) => {
  const { t } = useTranslation();
  const query = useQuery(memberTemplatesQuery(project, member.user_id));
  return (
    <Dialog opened onClose={onClose} title={t('grants.everythingTitle')} which={member.name} width={860} isRead>
      {query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null}
      <table className={`${table.table} ${css.table}`} aria-busy={query.isPending}>
        <thead>
          <tr>
            <th scope="col">{t('template.title')}</th>
            <RightHeads />
          </tr>
        </thead>
        <tbody>
          {(query.data ?? []).map((template) => (
            <tr key={template.template_id}>
              <td className={css.wide}>
                <Link
                  to="/project/$projectId/templates/$templateId/access"
                  params={{ projectId: project, templateId: template.template_id }}
                  onClick={onClose}
                >
                  {template.name}
                </Link>
              </td>
              <RightCells decisions={template} role={role} />
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
};
