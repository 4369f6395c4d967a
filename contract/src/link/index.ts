export * from './messages.ts';
export * from './order.ts';
