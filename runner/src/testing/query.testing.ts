import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Question, QuestionAnswer } from '@signalbox/contract/link';
import type { RunnerHarness } from './runner-harness.testing.ts';

let asked = 0;

/** Asks a runner under a lease; answers the number of the lease. */
export const pose = (house: RunnerHarness, question: Question, lease_ms = 30_000): number => {
  asked += 1;
  house.server.send({ type: 'question', question_id: asked, lease_ms, question });
  return asked;
};

/** Whether the runner has answered. */
export const isAnswered = (house: RunnerHarness, id: number): boolean =>
  house.server.messages.some((message) => message.type === 'answer' && message.question_id === id);

/** Asks a runner and waits for its answer. */
export const askRunner = async (house: RunnerHarness, question: Question): Promise<QuestionAnswer> => {
  const id = pose(house, question);
  await house.server.until(() => isAnswered(house, id), `the answer to ${question.ask}`);
  const found = house.server.messages.find((message) => message.type === 'answer' && message.question_id === id);
  if (found?.type !== 'answer') throw new Error('There is no answer.');
  return found.answer;
};

/** What of questions is on the disk of the runner. */
export const placesOf = (house: RunnerHarness): string[] => {
  try {
    return readdirSync(join(house.data, 'places'));
  } catch {
    return [];
  }
};
