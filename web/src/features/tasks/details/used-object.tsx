import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { environmentsQuery, inventoryQuery, repositoriesQuery, templateQuery } from '../../../api/queries.ts';
import { ResourceLink } from '../../../ui/basics/resource-link.tsx';

type Kind = 'inventory' | 'environment' | 'repositories';

const useUsed = (task: Task, kind: Kind) => {
  const { project_id: project, template_id } = task;
  const { data: template } = useQuery(templateQuery(project, template_id));
  const { data: inventory } = useQuery({ ...inventoryQuery(project), enabled: kind === 'inventory' });
  const { data: environment } = useQuery({ ...environmentsQuery(project), enabled: kind === 'environment' });
  const { data: repositories } = useQuery({ ...repositoriesQuery(project), enabled: kind === 'repositories' });
  const items = { inventory, environment, repositories }[kind];
  const id = {
    inventory: task.inventory_id ?? template?.inventory_id,
    environment: task.environment_id ?? template?.environment_id,
    repositories: template?.repository_id,
  }[kind];
  return { id, items };
};

/** The name of the inventory, environment or repository of a task. Undefined while it is loading, and if it was deleted. */
export const useUsedName = (task: Task, kind: Kind): string | undefined => {
  const { id, items } = useUsed(task, kind);
  return items?.find((item) => item.id === id)?.name;
};

/** The inventory, environment or repository of a task, with a link to it. */
export const UsedObject = ({ task, kind }: { task: Task; kind: Kind }) => {
  const { id, items } = useUsed(task, kind);
  return <ResourceLink to={`/project/$projectId/${kind}`} project={task.project_id} id={id} items={items} />;
};
