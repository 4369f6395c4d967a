import { useNavigate } from '@tanstack/react-router';
import { NewProjectPage } from '../../features/projects/new-project-page.tsx';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';

export const NewProjectRoute = () => {
  const navigate = useNavigate();
  return (
    <>
      <PlainBar />
      <main className={css.main}>
        <NewProjectPage
          onCancel={() => void navigate({ to: '/' })}
          onCreated={(projectId, demo) =>
            void navigate({
              to: demo ? '/project/$projectId/templates' : '/project/$projectId/history',
              params: { projectId },
            })
          }
        />
      </main>
    </>
  );
};
