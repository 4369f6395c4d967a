import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback } from 'react';
import { type ProjectSearch, withoutRun, withoutTask } from '../search.ts';

const TaskDialog = lazy(async () => ({ default: (await import('../../features/tasks/task-dialog.tsx')).TaskDialog }));
const NewTaskDialog = lazy(async () => ({
  default: (await import('../../features/launch/new-task-dialog.tsx')).NewTaskDialog,
}));

/** The dialogs that the address opens over any page of a project: a task (`t`) and a new task (`run`). */
export const Overlays = ({ project }: { project: number }) => {
  const { t, tab, line, run, again } = useSearch({ from: '/signed/project/$projectId' });
  const navigate = useNavigate();
  const change = useCallback(
    (to: (search: ProjectSearch) => ProjectSearch, replace = false) =>
      void navigate({ to: '.', search: (search: ProjectSearch) => to(search), replace, resetScroll: false }),
    [navigate],
  );
  return (
    <Suspense>
      {t === undefined ? null : (
        <TaskDialog
          key={t}
          project={project}
          task={t}
          tab={tab}
          line={line}
          onAddress={(address) => change((search) => ({ ...search, ...address }), true)}
          onRunAgain={(taskId, template) => change((search) => ({ ...search, run: template, again: taskId }))}
          onClose={() => change(withoutTask)}
        />
      )}
      {run === undefined ? null : (
        <NewTaskDialog
          key={`${run}-${again}`}
          project={project}
          template={run}
          again={again}
          onClose={() => change(withoutRun)}
          onStarted={(task) => change((search) => ({ ...withoutTask(withoutRun(search)), t: task }), true)}
        />
      )}
    </Suspense>
  );
};
