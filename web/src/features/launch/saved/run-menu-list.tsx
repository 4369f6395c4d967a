import type { SavedLaunch, Template } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { roleQuery } from '../../../api/queries.ts';
import type { ButtonElement } from '../../../ui/menus/lazy-menu.tsx';
import { showToast } from '../../../ui/toast/toast-store.ts';
import { limitsOn, narrowTemplate } from '../granted/granted-template.ts';
import { newTaskBody } from '../new-task-values.ts';
import { SavedMenuList } from './saved-menu-list.tsx';
import { filledValues, isComplete } from './saved-values.ts';

/** Starts a saved launch at once if nothing is missing. Otherwise the new task dialog opens, filled with its values. */
export const RunMenuList = ({ template, button }: { template: Template; button: ButtonElement }) => {
  const router = useRouter();
  const client = useQueryClient();
  const { data: role } = useQuery(roleQuery(template.project_id));
  const limits = limitsOn(role, template.id);
  const granted = narrowTemplate(template, limits[0]);
  const open = (search: { readonly t: number } | { readonly run: number; readonly launch: number }) =>
    void router.navigate({ to: '.', search: (before) => ({ ...before, ...search }), resetScroll: false });
  const start = useMutation({
    mutationFn: (launch: SavedLaunch) =>
      call('createTask', {
        params: { project_id: template.project_id },
        body: newTaskBody(granted, filledValues(granted, launch, '')),
      }),
    onSuccess: (task) => {
      client.setQueryData(queryKey.task(task.project_id, task.id), task);
      open({ t: task.id });
    },
    onError: (error, { id }) => {
      showToast('error', errorText(error));
      open({ run: template.id, launch: id });
    },
  });
  const choose = (launch: SavedLaunch) => {
    // With several grants the user chooses one in the dialog.
    if (limits.length < 2 && isComplete(granted, launch)) start.mutate(launch);
    else open({ run: template.id, launch: launch.id });
  };
  return <SavedMenuList template={template} button={button} onChoose={choose} />;
};
