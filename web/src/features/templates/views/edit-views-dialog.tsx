import type { View } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { viewsQuery } from '../../../api/queries.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { LeaveConfirmation, useLeaveGuard } from '../../../ui/dialogs/leave-guard.tsx';
import { moved } from '../../../ui/lists/moved.ts';
import { ViewRowEditor } from './view-row-editor.tsx';
import { changedPositions, isNewRow, maySave, rowsOf, type ViewRow, withNewRow } from './view-rows.ts';
import css from './views.module.css';

interface EditViewsProps {
  project: number;
  views: readonly View[];
  onClose: () => void;
}

const EditViews = ({ project, views, onClose }: EditViewsProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { project_id: project };
  const [rows, setRows] = useState(() => rowsOf(views));
  const [dragged, setDragged] = useState<number>();
  const refresh = () => client.invalidateQueries({ queryKey: queryKey.views(project) });
  const change = (id: number, part: Partial<ViewRow>) =>
    setRows((now) => now.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const drop = (id: number) => setRows((now) => now.filter((row) => row.id !== id));
  const save = useMutation({
    mutationFn: async (row: ViewRow) => {
      const title = (row.draft ?? '').trim();
      const position = rows.findIndex(({ id }) => id === row.id);
      if (isNewRow(row)) return { ...(await call('createView', { params, body: { title, position } })), was: row.id };
      await call('updateView', { params: { ...params, view_id: row.id }, body: { title, position } });
      return { id: row.id, title, was: row.id };
    },
    onSuccess: ({ id, title, was }) => {
      change(was, { id, title, draft: undefined });
      void refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (id: number) => call('deleteView', { params: { ...params, view_id: id } }),
    onSuccess: (_, id) => {
      drop(id);
      void refresh();
      void client.invalidateQueries({ queryKey: queryKey.templates(project) });
    },
  });
  const reorder = useMutation({
    mutationFn: (body: Record<string, number>) => call('placeViews', { params, body }),
    onSuccess: refresh,
  });
  const move = (from: number, to: number): void => {
    const after = moved(rows, from, to);
    setRows(after);
    const changed = changedPositions(after, views);
    if (Object.keys(changed).length > 0) reorder.mutate(changed);
  };
  const error = save.error ?? remove.error ?? reorder.error;
  const dropOn = (event: DragEvent, to: number): void => {
    event.preventDefault();
    if (dragged !== undefined && dragged !== to) move(dragged, to);
    setDragged(undefined);
  };
  const guard = useLeaveGuard(rows.some(maySave), onClose);
  return (
    <Dialog
      opened
      onClose={guard.close}
      title={t('views.title')}
      width={520}
      footer={
        guard.isAsking ? (
          <LeaveConfirmation guard={guard} />
        ) : (
          <>
            <span className={css.rest}>
              <Button icon="plus" onClick={() => setRows(withNewRow(rows))}>
                {t('views.add')}
              </Button>
            </span>
            <Button onClick={guard.close}>{t('action.close')}</Button>
          </>
        )
      }
    >
      {error ? <Alert colour="error">{errorText(error)}</Alert> : null}
      {rows.length === 0 ? <p>{t('views.none')}</p> : null}
      <ul className={css.rows}>
        {rows.map((row, at) => (
          <li key={row.id} onDragOver={(event) => event.preventDefault()} onDrop={(event) => dropOn(event, at)}>
            <ViewRowEditor
              row={row}
              maySave={maySave(row) && !save.isPending}
              isFirst={at === 0}
              isLast={at === rows.length - 1}
              isRemoving={remove.isPending && remove.variables === row.id}
              onDraft={(draft) => change(row.id, { draft })}
              onSave={() => save.mutate(row)}
              onReset={() => change(row.id, { draft: undefined })}
              onRemove={() => (isNewRow(row) ? drop(row.id) : remove.mutate(row.id))}
              onDrag={() => setDragged(at)}
              onMove={(by) => move(at, at + by)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
};

/** Dialog that creates, renames, sorts and deletes views. Each change is saved immediately. */
export const EditViewsDialog = ({ project, onClose }: { project: number; onClose: () => void }) => {
  const { data } = useQuery(viewsQuery(project));
  return data ? <EditViews project={project} views={data} onClose={onClose} /> : null;
};
