import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { repositoriesQuery, templateQuery } from '../../api/queries.ts';
import { commitUrl } from '../../ui/tasks/commit-url.ts';

/** The commit of a task: a link to its page where the repository is hosted, if that page is known. */
export const CommitHash = ({ task, hash, children }: { task: Task; hash: string; children: ReactNode }) => {
  const { data: template } = useQuery(templateQuery(task.project_id, task.template_id));
  const { data: repositories } = useQuery(repositoriesQuery(task.project_id));
  const repository = repositories?.find(({ id }) => id === template?.repository_id);
  const url = repository && commitUrl(repository.git_url, hash);
  if (url === undefined) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
};
