export * from './access.ts';
export * from './job.ts';
export * from './messages.ts';
