import css from './avatar.module.css';
import { avatarColour, initials } from './avatar.ts';

/** Avatar of a project: a muted square with initials, which can't be confused with a status icon. */
export const ProjectAvatar = ({ name, index, small = false }: { name: string; index: number; small?: boolean }) => (
  <span
    className={`${css.avatar} ${small ? css.small : ''}`}
    style={{ background: avatarColour(index) }}
    aria-hidden="true"
  >
    {initials(name)}
  </span>
);

/** Avatar of a user: round with a border only, unlike that of a project. */
export const PersonAvatar = ({ name }: { name: string }) => (
  <span className={`${css.avatar} ${css.small} ${css.person}`} aria-hidden="true">
    {initials(name)}
  </span>
);
