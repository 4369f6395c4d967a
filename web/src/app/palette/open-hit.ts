import type { SearchHit } from '@signalbox/contract';
import type { useNavigate } from '@tanstack/react-router';

/** Opens what a search found: its page, or the form or row of a list. */
export const openHit = (navigate: ReturnType<typeof useNavigate>, { kind, id, project_id, name }: SearchHit): void => {
  const params = { projectId: project_id };
  switch (kind) {
    case 'template':
      return void navigate({
        to: '/project/$projectId/templates/$templateId',
        params: { ...params, templateId: id },
        search: {},
      });
    case 'task':
      return void navigate({ to: '/project/$projectId/tasks/$taskId', params: { ...params, taskId: id }, search: {} });
    case 'host':
      return void navigate({ to: '/project/$projectId/hosts', params, search: { q: name } });
    case 'inventory':
      return void navigate({ to: '/project/$projectId/inventory', params, search: { edit: id } });
    case 'key':
      return void navigate({ to: '/project/$projectId/keys', params, search: { edit: id } });
    case 'repository':
      return void navigate({ to: '/project/$projectId/repositories', params, search: { edit: id } });
    case 'environment':
      return void navigate({ to: '/project/$projectId/environment', params, search: { edit: id } });
    case 'schedule':
      return void navigate({ to: '/project/$projectId/schedules', params, search: { edit: id } });
  }
};
