import css from './avatar.module.css';
import { avatarColour, initials } from './avatar.ts';

/** Square, muted and with initials, so that nobody takes it for a lamp. */
export const ProjectAvatar = ({ name, index, small = false }: { name: string; index: number; small?: boolean }) => (
  <span
    className={`${css.avatar} ${small ? css.small : ''}`}
    style={{ background: avatarColour(index) }}
    aria-hidden="true"
  >
    {initials(name)}
  </span>
);

/** Round and only outlined: a person, not a project. */
export const PersonAvatar = ({ name }: { name: string }) => (
  <span className={`${css.avatar} ${css.small} ${css.person}`} aria-hidden="true">
    {initials(name)}
  </span>
);
