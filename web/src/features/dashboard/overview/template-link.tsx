import { Link } from '@tanstack/react-router';
import css from './overview.module.css';

/** The name of a template, which leads to its page. */
export const TemplateLink = ({ project, template, name }: { project: number; template: number; name: string }) => (
  <Link
    className={`${css.name} cut`}
    to="/project/$projectId/templates/$templateId"
    params={{ projectId: project, templateId: template }}
    search={{}}
    title={name}
  >
    {name}
  </Link>
);
