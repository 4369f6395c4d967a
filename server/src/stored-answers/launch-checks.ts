import type { LaunchValues } from '@signalbox/contract';
import type { Actor } from '../audit/record-event.ts';
import type { StateTransaction } from '../database/database.ts';

/** Values with which tasks will be started later. */
export interface ValuesToCheck {
  readonly projectId: number;
  readonly templateId: number;
  readonly values: LaunchValues;
  /** See `permitsOverride` of calls. */
  readonly mayOverride: boolean;
}

/** Checks values as the launch of a task would. */
export type CheckLaunchValues = (tx: StateTransaction, check: ValuesToCheck) => Promise<void>;

/** The answers of a task that is about to be created. */
export interface AnswersToCheck {
  readonly projectId: number;
  readonly templateId: number;
  /** JSON text of the answers. */
  readonly environment: string;
  readonly actor: Actor;
}

/** Checks answers whose choices come from a source, which may take long to answer. */
export type CheckChoices = (answers: AnswersToCheck) => Promise<void>;
