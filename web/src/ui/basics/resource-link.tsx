import { Link } from '@tanstack/react-router';

export interface ResourceLinkProps {
  to: '/project/$projectId/inventory' | '/project/$projectId/environment' | '/project/$projectId/repositories';
  project: number;
  id: number | null | undefined;
  items: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** The name of a resource; the link opens its form. A dash while it is unknown, or without one. */
export const ResourceLink = ({ to, project, id, items }: ResourceLinkProps) => {
  const item = items?.find((one) => one.id === id);
  if (!item) return <>–</>;
  return (
    <Link to={to} params={{ projectId: project }} search={{ edit: item.id }}>
      {item.name}
    </Link>
  );
};
