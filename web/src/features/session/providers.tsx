import type { SignInOptions } from '@signalbox/contract';
import { buttonClass } from '../../ui/basics/button.tsx';
import { Icon, isIconName } from '../../ui/basics/icon.tsx';
import { keepFragment, withoutFragment } from '../../ui/browser/kept-fragment.ts';
import { inkOn } from './brand-ink.ts';
import css from './sign-in.module.css';

interface ProvidersProps {
  among: SignInOptions['oidc_providers'];
  /** The page to return to, as a path from the base URL. */
  page: string;
}

/** One button for each single sign-on provider. */
export const Providers = ({ among, page }: ProvidersProps) => (
  <div className={css.providers}>
    {among.map(({ id, name, color, icon }) => (
      <a
        key={id}
        onClick={() => keepFragment(page)}
        className={`${buttonClass('outline', false, true)} ${css.provider}`}
        href={`api/auth/oidc/${encodeURIComponent(id)}/login${page === '/' ? '' : `?${new URLSearchParams({ return: withoutFragment(page) })}`}`}
      >
        <span className={css.brand} style={color ? { background: color, color: inkOn(color) } : undefined}>
          <Icon name={isIconName(icon) ? icon : 'key'} />
        </span>
        {name}
      </a>
    ))}
  </div>
);
