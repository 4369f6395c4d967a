import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../lang/locale.ts';
import { useNow } from '../../ui/time/clock.ts';
import { durationText } from '../../ui/time/time.ts';
import type { Run } from './results/run-model.ts';
import css from './task-progress.module.css';

export interface RunningStepProps {
  run: Run;
  task: Task;
  onLine: (line: number) => void;
}

/** The step that runs now, with the time that it usually takes; nothing if that is unknown. */
export const RunningStep = ({ run, task, onLine }: RunningStepProps) => {
  const { t } = useTranslation();
  const now = useNow();
  const { running_step: running } = task;
  const step = running && run.steps.findLast((one) => one.step === running.step);
  if (!running || !step || task.end !== null || step.end !== undefined) return null;
  const passed = now - Date.parse(running.since);
  const share = Math.min(0.99, Math.max(0, passed / Math.max(1, running.usual_ms)));
  return (
    <p className={css.step}>
      <button type="button" className={css.stepName} onClick={() => onLine(step.line)} disabled={step.line === 0}>
        {step.name}
      </button>
      <progress value={share} aria-label={t('runningStep.done', { step: step.name })} />
      <span>
        {t(passed > running.usual_ms ? 'runningStep.longer' : 'runningStep.usual', {
          passed: durationText(passed),
          usual: durationText(running.usual_ms),
          percent: numberText(Math.round(share * 100)),
        })}
      </span>
    </p>
  );
};
