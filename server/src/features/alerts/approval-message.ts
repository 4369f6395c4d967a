import type { Language } from '@signalbox/contract';
import { brief } from '../../brief.ts';
import type { ApprovalAlertInput } from './alert-input.ts';
import { type AlertMessage, labelIn, whoStarted, withoutTurning } from './alert-message.ts';
import { translatorFor } from './alert-texts.ts';

interface MessageDeps {
  readonly input: ApprovalAlertInput;
  readonly language: Language;
  readonly url: string;
}

/** Longest text about arguments or answers, in characters. */
const MAX_VALUES = 300;

const answersText = (answers: Readonly<Record<string, unknown>> = {}): string =>
  Object.entries(answers)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** Describes in a language that a task waits for an approval: which one, what it would run with, and who started it. */
export const approvalMessageOf = ({ input, language, url }: MessageDeps): AlertMessage => {
  const translate = translatorFor(language);
  const { pending, template, project } = input;
  const lines: [string, string][] = [
    [translate('project'), project.name],
    [translate('playbook'), pending.playbook],
    [translate('version'), pending.version ?? ''],
    [translate('message'), brief(pending.message, 200)],
    [translate('inventory'), pending.inventory ?? ''],
    [translate('limit'), pending.limit ?? ''],
    [translate('branch'), pending.branch ?? ''],
    [translate('arguments'), brief((pending.arguments ?? []).join(' '), MAX_VALUES)],
    [translate('answers'), brief(answersText(pending.answers), MAX_VALUES)],
    [translate('by'), whoStarted(input, pending.build_task_id, translate)],
  ];
  return {
    title: withoutTurning(translate('approval', { template: template.name, id: pending.id })),
    lines: lines.map(([name, value]) => [name, withoutTurning(value)] as const).filter(([, value]) => value !== ''),
    label: labelIn(translate),
    link: { title: translate('open'), url },
    outcome: 'neutral',
  };
};
