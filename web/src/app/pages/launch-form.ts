import {
  LaunchFields,
  launchFormValues,
  launchProblems,
  launchServerFields,
} from '../../features/launch/launch-fields.tsx';
import { launchBody } from '../../features/launch/new-task-values.ts';

/** The fields of a launch, which the forms of schedules and webhooks contain. */
export const LAUNCH = {
  Fields: LaunchFields,
  values: launchFormValues,
  body: launchBody,
  problems: launchProblems,
  serverFields: launchServerFields,
};
