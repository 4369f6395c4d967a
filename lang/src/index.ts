export * from './locales.ts';
export * from './sentence.ts';
