import { z } from 'zod';
import { IdText, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';

export const UserParams = z.object({ user_id: IdText });
export const TokenParams = z.object({
  token_id: text(200).regex(/^sbx_[A-Za-z0-9_-]{6,}$/, fieldError('field.token')),
});
export const TokenNumberParams = z.object({ token_number: IdText });
export const RoleParams = z.object({ role_id: IdText });
export const RunnerParams = z.object({ runner_id: IdText });
export const RunnerRegistrationParams = z.object({ registration_id: IdText });
export const ProjectParams = z.object({ project_id: IdText });
export const ProjectUserParams = ProjectParams.extend({ user_id: IdText });
export const ProjectRoleParams = ProjectParams.extend({ role_id: IdText });
export const GrantParams = ProjectParams.extend({ grant_id: IdText });
export const ViewParams = ProjectParams.extend({ view_id: IdText });
export const LabelParams = ProjectParams.extend({ label_id: IdText });
export const FreezeWindowParams = ProjectParams.extend({ freeze_window_id: IdText });
export const TemplateParams = ProjectParams.extend({ template_id: IdText });
export const ChoiceParams = TemplateParams.extend({ variable: text(255) });
export const SavedLaunchParams = TemplateParams.extend({ launch_id: IdText });
export const SavedFilterParams = ProjectParams.extend({ saved_filter_id: IdText });
export const ScheduleParams = ProjectParams.extend({ schedule_id: IdText });
export const WebhookParams = ProjectParams.extend({ webhook_id: IdText });
export const WebhookCallParams = WebhookParams.extend({ call_id: IdText });
export const WebhookAddressParams = z.object({ webhook_token: text(200) });
export const LinkAddressParams = z.object({ link_token: text(200) });
export const TaskParams = ProjectParams.extend({ task_id: IdText });
export const KeyParams = ProjectParams.extend({ key_id: IdText });
export const RepositoryParams = ProjectParams.extend({ repository_id: IdText });
export const InventoryParams = ProjectParams.extend({ inventory_id: IdText });
export const EnvironmentParams = ProjectParams.extend({ environment_id: IdText });
export const RunHostParams = TaskParams.extend({ host_number: IdText });
export const ReceiverParams = ProjectParams.extend({ receiver_id: IdText });
export const HostParams = ProjectParams.extend({ host_id: IdText });
export const FailureParams = ProjectParams.extend({ failure_id: IdText });
export const FingerprintParams = TaskParams.extend({
  fingerprint: text(64),
});
