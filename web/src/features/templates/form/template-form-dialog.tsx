import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText, isMissing } from '../../../api/api-error.ts';
import { schedulesQuery, templateQuery } from '../../../api/queries.ts';
import { DeletedMeanwhile } from '../../../ui/dialogs/deleted-meanwhile.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { TemplateForm } from './template-form.tsx';

export interface TemplateFormDialogProps {
  project: number;
  /** The template to change, or `new`. */
  template: number | 'new';
  /** The template that a new one is a copy of. */
  copy?: number | undefined;
  view?: number | undefined;
  /** Field that is focused instead of the name. */
  focus?: 'playbook' | 'max_minutes' | undefined;
  onClose: () => void;
  onSaved: (template: number) => void;
}

/** Shows the form of a template once its initial values have loaded. */
export const TemplateFormDialog = ({
  project,
  template,
  copy,
  view,
  focus,
  onClose,
  onSaved,
}: TemplateFormDialogProps) => {
  const { t } = useTranslation();
  const source = template === 'new' ? copy : template;
  const query = useQuery({ ...templateQuery(project, source ?? 0), enabled: source !== undefined });
  const schedules = useQuery({ ...schedulesQuery(project, source ?? 0), enabled: template !== 'new' });
  const failed = query.error ?? schedules.error;
  // If a refetch fails, an open form and its text stay.
  const isReady =
    (source === undefined || query.data !== undefined) && (template === 'new' || schedules.data !== undefined);
  if (isReady) {
    const item =
      query.data &&
      (template === 'new' ? { ...query.data, name: t('templateForm.copyOf', { name: query.data.name }) } : query.data);
    return (
      <DeletedMeanwhile value={template !== 'new' && isMissing(query.error)}>
        <TemplateForm
          project={project}
          item={item}
          id={template === 'new' ? undefined : template}
          schedules={template === 'new' ? [] : (schedules.data ?? [])}
          view={view}
          focus={focus}
          onClose={onClose}
          onSaved={onSaved}
        />
      </DeletedMeanwhile>
    );
  }
  return (
    <Dialog opened onClose={onClose} title={t('templateForm.edit')} width={800}>
      {failed ? (
        <LoadError
          text={errorText(failed)}
          retry={() => {
            void query.refetch();
            void schedules.refetch();
          }}
        />
      ) : (
        <p aria-busy="true">{t('shell.loading')}</p>
      )}
    </Dialog>
  );
};
