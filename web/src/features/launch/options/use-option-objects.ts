import { useQuery } from '@tanstack/react-query';
import { environmentsQuery, inventoryQuery, keysQuery, repositoriesQuery } from '../../../api/queries.ts';

type Named = readonly { readonly id: number; readonly name: string }[];

/** The objects of the project that the options of a run name by id. */
export const useOptionObjects = (project: number) => {
  const { data: inventories } = useQuery(inventoryQuery(project));
  const { data: environments } = useQuery(environmentsQuery(project));
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const { data: keys } = useQuery(keysQuery(project));
  /** The name of an object; undefined until the objects have loaded, and for one that was deleted. */
  const nameOf = (items: Named | undefined, id: string | null): string | undefined =>
    items?.find((one) => String(one.id) === id)?.name;
  return { inventories, environments, repositories, keys, nameOf };
};
