import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { labelsQuery } from '../../../api/queries.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { type LabelDraft, LabelRow } from './label-row.tsx';
import css from './labels.module.css';

/** Creates, renames, recolours and deletes the labels of a project. */
export const LabelsDialog = ({ project, onClose }: { project: number; onClose: () => void }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { project_id: project };
  const { data: labels = [] } = useQuery(labelsQuery(project));
  const change = useMutation({
    mutationFn: async ({ id, draft }: { id?: number; draft?: LabelDraft }): Promise<void> => {
      if (id === undefined) await (draft && call('createLabel', { params, body: draft }));
      else if (draft) await call('updateLabel', { params: { ...params, label_id: id }, body: draft });
      else await call('deleteLabel', { params: { ...params, label_id: id } });
    },
    onSuccess: () =>
      Promise.all(
        [queryKey.labels(project), queryKey.templates(project)].map((key) =>
          client.invalidateQueries({ queryKey: key }),
        ),
      ),
  });
  const isBusy = (id: number | undefined): boolean => change.isPending && change.variables.id === id;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('labels.edit')}
      width={600}
      footer={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      {change.error ? <Alert colour="error">{errorText(change.error)}</Alert> : null}
      {labels.length === 0 ? <p>{t('labels.empty')}</p> : null}
      <ul className={css.rows}>
        {labels.map(({ id, name, colour }) => (
          <LabelRow
            key={`${id}-${name}-${colour}`}
            label={{ name, colour }}
            isBusy={isBusy(id)}
            onSave={(draft) => change.mutate({ id, draft })}
            onDelete={() => change.mutate({ id })}
          />
        ))}
        <LabelRow
          label={{ name: '', colour: 'slate' }}
          isBusy={isBusy(undefined)}
          onSave={(draft) => change.mutate({ draft })}
        />
      </ul>
    </Dialog>
  );
};
