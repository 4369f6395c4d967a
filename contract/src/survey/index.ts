export * from './answers.ts';
export * from './read-answer.ts';
export * from './survey-types.ts';
