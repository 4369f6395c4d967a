import type { ListState } from '../../ui/lists/list-state.ts';
import type { ChosenStatus } from '../../ui/tasks/status.ts';

/** Search text, order and filter of the template list. */
export interface TemplatesState extends ListState {
  /** Status filter; undefined shows all templates. */
  status?: ChosenStatus | undefined;
  /** Id of the only label whose templates are shown; undefined shows all. */
  label?: number | undefined;
  /** Whether the rows are grouped by their labels. */
  group?: 'label' | undefined;
}
