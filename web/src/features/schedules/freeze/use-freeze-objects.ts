import { useQuery } from '@tanstack/react-query';
import { inventoryQuery, labelsQuery, templatesQuery } from '../../../api/queries.ts';

/** The objects of a project that a window can freeze. */
export const useFreezeObjects = (project: number) => {
  const { data: template } = useQuery(templatesQuery(project));
  const { data: inventory } = useQuery(inventoryQuery(project));
  const { data: label } = useQuery(labelsQuery(project));
  return { template, inventory, label };
};
