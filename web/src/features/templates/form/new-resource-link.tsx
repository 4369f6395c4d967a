import { Link } from '@tanstack/react-router';

interface NewResourceLinkProps {
  to: '/project/$projectId/inventory' | '/project/$projectId/environment' | '/project/$projectId/repositories';
  project: number;
  label: string;
}

/** Leads to the form of a new resource, for a template form without one to choose. */
export const NewResourceLink = ({ to, project, label }: NewResourceLinkProps) => (
  <Link to={to} params={{ projectId: project }} search={{ edit: 'new' }}>
    {label}
  </Link>
);
