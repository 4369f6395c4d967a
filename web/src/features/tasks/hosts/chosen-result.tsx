import type { HostRecord, Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../../api/api-error.ts';
import { taskCellQuery } from '../../../api/run-queries.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import type { Step } from '../results/run-model.ts';
import { ResultSide } from './result-side.tsx';

export interface ChosenResultProps {
  task: Task;
  /** Number of the host in the run. */
  host: number;
  step: Step;
  onLine: (line: number) => void;
}

/** Loads the result of one host and step, and shows it. */
export const ChosenResult = ({ task, host, step, onLine }: ChosenResultProps) => {
  const { data, error, refetch } = useQuery(taskCellQuery(task.project_id, task.id, host, step.step));
  if (error) return <LoadError text={errorText(error)} retry={() => void refetch()} />;
  const outcome: HostRecord | undefined = data?.records.at(-1);
  return outcome ? <ResultSide task={task} step={step} outcome={outcome} onLine={onLine} /> : null;
};
