import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { SecondFactorRequiredPage } from '../../features/users/second-factor-required-page.tsx';

/** Continues to the page that the user asked for and discards what was refused before. */
export const SecondFactorRoute = () => {
  const { next } = useSearch({ from: '/auth/second-factor' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const goOn = () => {
    client.clear();
    if (next === undefined) return navigate({ to: '/', replace: true });
    router.history.replace(router.history.createHref(`${router.basepath.replace(/\/$/, '')}${next}`));
  };
  return <SecondFactorRequiredPage onDone={() => void goOn()} />;
};
