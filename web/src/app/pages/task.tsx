import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TaskView } from '../../features/tasks/task-view.tsx';
import { Breadcrumb } from '../../ui/page/breadcrumb.tsx';
import { isStep } from '../search.ts';
import css from '../shell/shell.module.css';

/** The task on its own page. */
export const TaskRoute = () => {
  const { projectId, taskId } = useParams({ from: '/signed/project/$projectId/tasks/$taskId' });
  const {
    tab,
    line,
    find,
    with: other,
    step,
    result,
    hosts,
    order,
    cell,
  } = useSearch({ from: '/signed/project/$projectId' });
  const navigate = useNavigate();
  const { t } = useTranslation();
  return (
    <div className={css.fullTask}>
      <Breadcrumb>
        <Link to="/project/$projectId/history" params={{ projectId }} search={{}}>
          {t('history.title')}
        </Link>
      </Breadcrumb>
      <TaskView
        project={projectId}
        task={taskId}
        tab={tab}
        line={line}
        find={find}
        with={other}
        step={step}
        {...{ result, hosts, order, cell }}
        heading="h1"
        onUrlState={(address) =>
          void navigate({ to: '.', search: (search) => ({ ...search, ...address }), replace: !isStep(tab, address) })
        }
        onRunAgain={(again, run, limit) =>
          void navigate({ to: '.', search: (search) => ({ ...search, run, again, limit }) })
        }
        key={taskId}
      />
    </div>
  );
};
