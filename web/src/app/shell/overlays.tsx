import { useIsFetching } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect } from 'react';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { isStep, type ProjectSearch, withoutRun, withoutTask } from '../search.ts';

/** Delay after the page's own data has loaded, in milliseconds. */
const PRELOAD_AFTER = 500;

const loadTask = () => import('../../features/tasks/task-dialog.tsx');
const loadPalette = () => import('../palette/palette.tsx');
const loadNewTask = () => import('../../features/launch/new-task-dialog.tsx');
const TaskDialog = lazyPart(loadTask, 'TaskDialog');
const NewTaskDialog = lazyPart(loadNewTask, 'NewTaskDialog');

/** Loads the code of the dialogs while the page is idle, so that a click does not have to wait for it. */
const usePreloaded = (): void => {
  const isBusy = useIsFetching() > 0;
  useEffect(() => {
    if (isBusy) return;
    const preload = () => void Promise.all([loadTask(), loadNewTask(), loadPalette()]).catch(() => undefined);
    const timer = setTimeout(preload, PRELOAD_AFTER);
    return () => clearTimeout(timer);
  }, [isBusy]);
};

/** The dialogs that search parameters open over any page of a project: a task (`t`) and a new task (`run`). */
export const Overlays = ({ project }: { project: number }) => {
  const {
    t,
    tab,
    line,
    find,
    with: other,
    step,
    result,
    hosts: searched,
    order,
    cell,
    run,
    again,
    launch,
    schedule,
    limit,
    field,
  } = useSearch({
    from: '/signed/project/$projectId',
  });
  const navigate = useNavigate();
  usePreloaded();
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
          find={find}
          with={other}
          step={step}
          {...{ result, hosts: searched, order, cell }}
          // A step back leads from a line of the log to the tab before.
          onUrlState={(address) => change((search) => ({ ...search, ...address }), !isStep(tab, address))}
          onRunAgain={(taskId, template, hosts) =>
            change((search) => ({ ...search, run: template, again: taskId, limit: hosts }))
          }
          onClose={() => change(withoutTask)}
        />
      )}
      {run === undefined ? null : (
        <NewTaskDialog
          key={`${run}-${again}-${launch}-${schedule}-${limit}`}
          project={project}
          template={run}
          again={again}
          launch={launch}
          schedule={schedule}
          limit={limit}
          focus={field === 'limit' ? field : undefined}
          onClose={() => change(withoutRun)}
          onStarted={(task) => change((search) => ({ ...withoutTask(withoutRun(search)), t: task }), true)}
        />
      )}
    </Suspense>
  );
};
