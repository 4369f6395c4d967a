import type { Template } from '@signalbox/contract';
import { Button } from '../../../ui/basics/button.tsx';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { LazyMenu } from '../../../ui/menus/lazy-menu.tsx';

const load = () => import('./run-on-host-list.tsx');
const RunOnHostList = lazyPart(load, 'RunOnHostList');

interface RunOnHostProps {
  /** The hosts on which the template is started. */
  limit: string;
  label: string;
  /** Templates that the user may run and that take a limit. */
  templates: readonly Template[];
}

/** Starts a chosen template on some hosts only. */
export const RunOnHost = ({ limit, label, templates }: RunOnHostProps) => {
  if (templates.length === 0) return null;
  const button = <Button icon="play">{label}</Button>;
  return (
    <LazyMenu load={load} button={button}>
      <RunOnHostList limit={limit} templates={templates} button={button} />
    </LazyMenu>
  );
};
