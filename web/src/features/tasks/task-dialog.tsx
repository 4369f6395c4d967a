import { DialogFrame } from '../../ui/dialogs/dialog.tsx';
import { TaskView, type TaskViewProps } from './task-view.tsx';

/** The task in a dialog over any page. */
export const TaskDialog = (props: Omit<TaskViewProps, 'heading'> & { onClose: () => void }) => (
  <DialogFrame opened onClose={props.onClose} width={1200} tall>
    <TaskView {...props} heading="h2" />
  </DialogFrame>
);
