import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { roleQuery } from '../../api/queries.ts';
import { mayDo } from '../../ui/access/permissions.ts';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { NewObject, type NewObjectForms, type NewObjectProps } from '../../ui/forms/new-object.ts';

const FORMS = {
  key: {
    right: 'edit_keys',
    Form: lazyPart(() => import('../../features/resources/key-form.tsx'), 'KeyForm'),
  },
  repository: {
    right: 'edit_repositories',
    Form: lazyPart(() => import('../../features/resources/repository-form.tsx'), 'RepositoryForm'),
  },
  inventory: {
    right: 'edit_inventories',
    Form: lazyPart(() => import('../../features/resources/inventory-form.tsx'), 'InventoryForm'),
  },
  environment: {
    right: 'edit_inventories',
    Form: lazyPart(() => import('../../features/resources/environment-form.tsx'), 'EnvironmentForm'),
  },
} as const;

type FormOfNew = ComponentType<NewObjectProps & { project: number; item: undefined; mayEdit: boolean }>;

const bound = (Form: FormOfNew, project: number) => (props: NewObjectProps) => (
  <Form project={project} item={undefined} mayEdit {...props} />
);

/** Lets the selects in its content create objects of a project. */
export const NewObjects = ({ project, children }: { project: number; children: ReactNode }) => {
  const { data: role } = useQuery(roleQuery(project));
  const forms = useMemo(
    (): NewObjectForms =>
      Object.fromEntries(
        Object.entries(FORMS).flatMap(([kind, { right, Form }]) =>
          mayDo(role, right) ? [[kind, bound(Form, project)]] : [],
        ),
      ),
    [role, project],
  );
  return <NewObject value={forms}>{children}</NewObject>;
};
