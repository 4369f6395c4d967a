import { Outlet } from '@tanstack/react-router';
import { LiveProvider } from '../../live/live.tsx';

/** Everything that needs a session: the live connection stands as long as it is shown. */
export const Signed = () => (
  <LiveProvider>
    <Outlet />
  </LiveProvider>
);
