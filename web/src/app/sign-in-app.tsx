import { SignInPage } from '../features/session/sign-in-page.tsx';
import { Toast } from '../ui/toast/toast.tsx';
import { Tooltip } from '../ui/tooltip/tooltip.tsx';

/** The app of users without a session: only the sign-in page, so that it does not wait for the code of other pages. */
export const SignInApp = (props: { onSignedIn: () => void; page: string; errorCode: string | null }) => (
  <>
    <SignInPage {...props} />
    <Toast />
    <Tooltip />
  </>
);
