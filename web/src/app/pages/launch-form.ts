import { HostsField } from '../../features/launch/hosts/hosts-field.tsx';
import {
  LaunchFields,
  launchFormValues,
  launchProblems,
  launchServerFields,
} from '../../features/launch/launch-fields.tsx';
import { storedBody } from '../../features/launch/new-task-values.ts';
import {
  FixedAnswers,
  fixedAnswersErrors,
  fixedAnswersText,
  fixedValues,
} from '../../features/launch/survey/fixed-answers.tsx';

/** The fields of a launch, which the forms of schedules and webhooks contain. */
export const LAUNCH = {
  Fields: LaunchFields,
  values: launchFormValues,
  body: storedBody,
  problems: launchProblems,
  serverFields: launchServerFields,
};

/** The fields of the hosts and answers that a grant fixes. */
export const FIXED_VALUES = {
  Hosts: HostsField,
  Fields: FixedAnswers,
  values: fixedValues,
  text: fixedAnswersText,
  problems: fixedAnswersErrors,
};
