export * from './end-reasons.ts';
export * from './fields-sentence.ts';
export * from './locales.ts';
export * from './sentence.ts';
