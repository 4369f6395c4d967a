export * from './end-reasons.ts';
export * from './events.ts';
export * from './failures.ts';
export * from './fields-text.ts';
export * from './locales.ts';
export * from './message-text.ts';
