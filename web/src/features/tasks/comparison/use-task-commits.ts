import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { taskCommitsQuery } from '../../../api/comparison-queries.ts';
import { roleQuery } from '../../../api/queries.ts';
import { mayDo } from '../../../ui/access/permissions.ts';

/**
 * The commits and files between the commits of two tasks. `isAsked` is false if the commits are the same or unknown, and for
 * a user who may not read repositories.
 */
export const useTaskCommits = (task: Task, other: Task | null) => {
  const { data: role } = useQuery(roleQuery(task.project_id));
  const differ = task.commit_hash !== null && !!other?.commit_hash && task.commit_hash !== other.commit_hash;
  const isAsked = differ && mayDo(role, 'read_repositories');
  const query = useQuery({ ...taskCommitsQuery(task.project_id, task.id, other?.id ?? 0), enabled: isAsked });
  return { isAsked, query };
};
