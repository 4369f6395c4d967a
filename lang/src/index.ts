export * from './end-reasons.ts';
export * from './events.ts';
export * from './fields-sentence.ts';
export * from './locales.ts';
export * from './sentence.ts';
