import { SignInPage } from '../features/session/sign-in-page.tsx';
import { Snackbar } from '../ui/toast/toast.tsx';

/** The first page of whoever is not signed in: it waits for nothing that only the pages behind it need. */
export const Entrance = (props: { onSignedIn: () => void; page: string; fault: string | null }) => (
  <>
    <SignInPage {...props} />
    <Snackbar />
  </>
);
