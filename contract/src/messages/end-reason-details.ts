import { z } from 'zod';

/**
 * Details of end reasons that Signalbox itself writes. Their texts are `detail.<code>` in `lang/end-reasons`. Details that
 * another program printed have no code.
 */
export const EndReasonDetail = z.enum([
  // Repository
  'git_timeout',
  'git_signal',
  'commit_not_full',
  // Files of the repository
  'path_missing',
  'path_outside',
  'not_file',
  'file_too_long',
  'files_too_long',
  'too_many_files',
  'duplicate_key',
  'not_list',
  'nested_include',
  // Entries of requirements files
  'field_not_text',
  'field_dash',
  'file_missing',
  'outside_folders',
  'folder_outside',
  'address_invalid',
  'local_disabled',
  'protocol_refused',
  'not_git',
  'scm_refused',
  'too_many_parts',
  'not_entry',
  'source_missing',
  'role_name_invalid',
  'collection_name_invalid',
  'server_invalid',
  'type_unknown',
  // SSH agent
  'socket_path_too_long',
  'agent_not_started',
  'key_timeout',
  'key_signal',
  'agent_ended',
  // Runner
  'limit_invalid',
  'folder_denied',
  'job_not_written',
]);
export type EndReasonDetail = z.infer<typeof EndReasonDetail>;
