import type { NewTask, TaskParameters } from '@signalbox/contract';
import type { z } from 'zod';
import { badField } from '../../../http/errors/api-error.ts';

type Request = z.output<typeof NewTask>;

/** Number of `-v` with which `debug` runs a playbook. */
const DEBUG_LEVEL = 4;

const limitOf = ({ limit }: TaskParameters): string => {
  const hosts = Array.isArray(limit) ? limit : [limit ?? ''];
  return hosts.filter((host) => host !== '').join(',');
};

/** Passes tags as arguments in the form `--tags=…`, so that Ansible can't read a tag as an option. */
const tagArguments = ({ tags, skip_tags }: TaskParameters): string[] => [
  ...(tags?.length ? [`--tags=${tags.join(',')}`] : []),
  ...(skip_tags?.length ? [`--skip-tags=${skip_tags.join(',')}`] : []),
];

/**
 * Moves the options in `params` to the top level of a request. An option in `params` takes precedence.
 * @param mayGiveArguments whether the template allows arguments, to which tags belong
 * @throws bad_input for tags that are not allowed, or when `limit` and `params.limit` differ
 */
export const withParameters = (request: Request, mayGiveArguments: boolean): Request => {
  const { params } = request;
  if (!params) return request;
  const limit = limitOf(params);
  if (limit !== '' && request.limit !== '' && limit !== request.limit)
    throw badField('params.limit', 'field.differs', { other: 'limit' });
  const tags = tagArguments(params);
  if (tags.length > 0 && !mayGiveArguments)
    throw badField(params.tags?.length ? 'params.tags' : 'params.skip_tags', 'field.not_allowed');
  const level = params.debug_level || DEBUG_LEVEL;
  const isShort = params.debug === true && level < DEBUG_LEVEL;
  const more = [...tags, ...(isShort ? [`-${'v'.repeat(level)}`] : [])];
  return {
    ...request,
    limit: request.limit || limit,
    debug: request.debug || (params.debug === true && !isShort),
    dry_run: request.dry_run || params.dry_run === true,
    diff: request.diff || params.diff === true,
    arguments: more.length === 0 ? request.arguments : JSON.stringify([...JSON.parse(request.arguments), ...more]),
  };
};
