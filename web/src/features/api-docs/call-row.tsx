import { Icon } from '../../ui/basics/icon.tsx';
import css from './api-docs.module.css';
import type { ApiCall, ApiDocument } from './api-document.ts';
import { CallDetails } from './call-details.tsx';
import { Prose } from './prose.tsx';

/** One call as a line that opens its details. */
export const CallRow = ({
  call,
  document,
  open,
  onToggle,
}: {
  call: ApiCall;
  document: ApiDocument;
  open: boolean;
  onToggle: (open: boolean) => void;
}) => (
  <details
    id={call.name}
    className={css.call}
    open={open}
    onToggle={({ currentTarget }) => {
      if (currentTarget.open !== open) onToggle(currentTarget.open);
    }}
  >
    <summary>
      <Icon name="next" className={css.turn} />
      <h3>
        <span className={css.method} data-method={call.method}>
          {call.method}
        </span>{' '}
        <span className={css.path}>{call.path}</span>
      </h3>
      <span className={css.summary}>
        <Prose text={call.summary} />
      </span>
    </summary>
    {open ? <CallDetails call={call} document={document} /> : null}
  </details>
);
