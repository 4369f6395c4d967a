export * from './change.ts';
export * from './entities/alert.ts';
export * from './entities/environment.ts';
export * from './entities/host.ts';
export * from './entities/project.ts';
export * from './entities/repository-access.ts';
export * from './entities/resources.ts';
export * from './entities/result.ts';

export * from './entities/run-results.ts';

export * from './entities/runner.ts';

export * from './entities/schedule.ts';
export * from './entities/second-factor.ts';
export * from './entities/task.ts';
export * from './entities/template.ts';
export * from './entities/user.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './json-shape.ts';
export * from './limits.ts';
export * from './live/messages.ts';
export * from './messages/end-reasons.ts';
export * from './messages/error-parts.ts';
export * from './messages/errors.ts';
export * from './messages/events.ts';
export * from './messages/field-errors.ts';
export * from './messages/message.ts';
export * from './messages/query-reasons.ts';
export * from './refused-fields.ts';
export * from './roles.ts';
export * from './route.ts';
export * from './route-table.ts';
export * from './run-arguments.ts';
export * from './sorting.ts';
export * from './status.ts';
