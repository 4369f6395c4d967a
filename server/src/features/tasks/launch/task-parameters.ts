import { DEBUG_VERBOSITY, type NewTask, type TaskParameters } from '@signalbox/contract';
import type { z } from 'zod';
import { badField } from '../../../http/errors/api-error.ts';

/** A request for a task. */
export type LaunchRequest = z.output<typeof NewTask>;

const limitOf = ({ limit }: TaskParameters): string => {
  const hosts = Array.isArray(limit) ? limit : [limit ?? ''];
  return hosts.filter((host) => host !== '').join(',');
};

/** The field in which a request gives an option, for errors. */
export const sentField = ({ params, ...request }: LaunchRequest, name: string): string => {
  if (name === 'verbosity' && request.verbosity == null) return request.debug ? 'debug' : 'params.debug';
  const isSent = (fields: object): boolean => {
    const value: unknown = (fields as Record<string, unknown>)[name];
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  };
  return params && isSent(params) && !isSent(request) ? `params.${name}` : name;
};

/** Text and lists count as given only if they are not empty, so that clients may send empty ones. */
export const unlessEmpty = <Value extends string | readonly unknown[]>(
  value: Value | null | undefined,
): Value | undefined => (value && value.length > 0 ? value : undefined);

/**
 * Moves the options in `params` to the top level of a request. Empty ones count as absent, because clients of Semaphore UI
 * send them.
 * @throws bad_input when an option is in both with different values
 */
export const withParameters = (request: LaunchRequest): LaunchRequest => {
  const { params } = request;
  if (!params) return request;
  const limit = limitOf(params);
  if (limit !== '' && request.limit !== '' && limit !== request.limit)
    throw badField('params.limit', 'field.differs', { other: 'limit' });
  return {
    ...request,
    limit: request.limit || limit,
    tags: request.tags ?? unlessEmpty(params.tags),
    skip_tags: request.skip_tags ?? unlessEmpty(params.skip_tags),
    verbosity: request.verbosity ?? (params.debug === true ? params.debug_level || DEBUG_VERBOSITY : undefined),
    dry_run: request.dry_run || params.dry_run || request.dry_run,
    diff: request.diff || params.diff || request.diff,
  };
};
