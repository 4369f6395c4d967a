import type { SavedLaunch, Template } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import type { NewTaskValues } from '../new-task-values.ts';
import { valuesToSave } from './saved-values.ts';

type Request =
  | { readonly kind: 'create'; readonly name: string; readonly shared: boolean }
  | { readonly kind: 'replace' | 'delete'; readonly launch: SavedLaunch };

interface SavedLaunches {
  template: Template;
  values: NewTaskValues;
  /** Called with the saved launch that the form shows now; undefined after it was deleted. */
  onCurrent: (launch: SavedLaunch | undefined) => void;
}

/** Saves the values of the form as a new or in an existing launch, and deletes saved launches. */
export const useSavedLaunches = ({ template, values, onCurrent }: SavedLaunches) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  /** What the strip above the form asks: a name, or whether to delete. */
  const [asked, setAsked] = useState<'name' | SavedLaunch>();
  const params = { project_id: template.project_id, template_id: template.id };
  const launch_values = () => valuesToSave(template, values);
  const request = useMutation({
    mutationFn: async (given: Request): Promise<SavedLaunch | undefined> => {
      if (given.kind === 'create') {
        const { name, shared } = given;
        return await call('createSavedLaunch', { params, body: { name, shared, launch_values: launch_values() } });
      }
      const one = { ...params, launch_id: given.launch.id };
      if (given.kind === 'delete') {
        await call('deleteSavedLaunch', { params: one });
        return undefined;
      }
      await call('updateSavedLaunch', { params: one, body: { launch_values: launch_values() } });
      return await call('getSavedLaunch', { params: one });
    },
    onSuccess: async (launch, given) => {
      await client.invalidateQueries({ queryKey: queryKey.savedLaunches(params.project_id, params.template_id) });
      await client.invalidateQueries({ queryKey: queryKey.savedLaunchCounts(params.project_id) });
      setAsked(undefined);
      onCurrent(launch);
      const name = given.kind === 'create' ? given.name : given.launch.name;
      showToast('ok', t(launch ? 'saved.wasSaved' : 'saved.wasDeleted', { name }));
    },
  });
  const ask = (what: typeof asked) => {
    request.reset();
    setAsked(what);
  };
  return { asked, ask, request };
};
