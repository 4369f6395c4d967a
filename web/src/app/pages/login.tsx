import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { SignInPage } from '../../features/session/sign-in-page.tsx';

export const LoginRoute = () => {
  const { next } = useSearch({ from: '/auth/login' });
  const navigate = useNavigate();
  const router = useRouter();
  const enter = () => {
    if (next === undefined) return navigate({ to: '/' });
    router.history.push(router.history.createHref(`${router.basepath.replace(/\/$/, '')}${next}`));
  };
  return <SignInPage onSignedIn={() => void enter()} page={next ?? '/'} />;
};
