import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { fileOf, inventoryBody, type TargetValues, templateBody } from './proposals.ts';

export interface ChosenPlaybook {
  readonly path: string;
  readonly name: string;
}

interface CreationProps {
  project: number;
  repository: number;
  /** Called with the ids of the new templates if all were created. */
  onCreated: (ids: readonly number[]) => void;
  /** Called with the paths of the playbooks that did not become templates. */
  onRefused: (paths: readonly string[]) => void;
  /** Called with the id of the inventory that a file became, so that a second attempt uses it. */
  onInventory: (id: number) => void;
}

/** Creates a template of each chosen playbook, and before that the inventory if it is a file in the repository. */
export const useCreation = ({ project, repository, onCreated, onRefused, onInventory }: CreationProps) => {
  const client = useQueryClient();
  const params = { project_id: project };
  /** The errors of the playbooks that did not become templates, by path. */
  const [problems, setProblems] = useState<ReadonlyMap<string, unknown>>(new Map());
  const ensureInventory = async ({ inventory, key }: TargetValues): Promise<number> => {
    const path = fileOf(inventory);
    if (path === undefined) return Number(inventory);
    const { id } = await call('createInventory', { params, body: inventoryBody(path, key ?? '') });
    onInventory(id);
    return id;
  };
  const creation = useMutation({
    mutationFn: async ({ chosen, target }: { chosen: readonly ChosenPlaybook[]; target: TargetValues }) => {
      setProblems(new Map());
      const ids = { repository, inventory: await ensureInventory(target), environment: target.environment };
      const created: number[] = [];
      const refused = new Map<string, unknown>();
      for (const playbook of chosen)
        try {
          created.push((await call('createTemplate', { params, body: templateBody(playbook, ids) })).id);
        } catch (error) {
          refused.set(playbook.path, error);
        }
      return { created, refused };
    },
    onSuccess: ({ created, refused }) => {
      setProblems(refused);
      if (refused.size === 0) onCreated(created);
      else onRefused([...refused.keys()]);
    },
    onSettled: () => {
      const { templates, resources } = queryKey;
      const changed = [templates(project), resources(project, 'inventory'), resources(project, 'environment')];
      return Promise.all(changed.map((key) => client.invalidateQueries({ queryKey: key })));
    },
  });
  return { creation, problems };
};
