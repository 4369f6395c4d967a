import { type MemberRole, ROLES } from '@signalbox/contract';

interface Member {
  readonly role: MemberRole;
  /** The permissions of the role of one's own that the member has; null without one. */
  readonly permissions: number | null;
}

/** What a member may do in the project, as the sum of permissions. */
export const memberPermissions = ({ role, permissions }: Member): number =>
  role === 'custom' ? (permissions ?? 0) : ROLES[role].permissions;
