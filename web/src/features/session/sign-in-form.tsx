import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { PasswordForm } from './password-form.tsx';

const CodeForm = lazyPart(() => import('./code-form.tsx'), 'CodeForm');

interface SignInFormProps {
  onSignedIn: () => void;
  /** The user who was signed in here before. */
  name?: string;
  /** Other sign-in methods, hidden once the password is correct. */
  children?: ReactNode;
}

/** Sign-in form: the password and, if required, the code of the second factor. */
export const SignInForm = ({ onSignedIn, name = '', children }: SignInFormProps) => {
  const [isCode, setCode] = useState(false);
  const [reason, setReason] = useState<string>();
  const again = (why?: string) => {
    setReason(why);
    setCode(false);
  };
  if (isCode) {
    return (
      <Suspense>
        <CodeForm onSignedIn={onSignedIn} onAgain={again} />
      </Suspense>
    );
  }
  return (
    <>
      <PasswordForm name={name} reason={reason} onSignedIn={onSignedIn} onCode={() => setCode(true)} />
      {children}
    </>
  );
};
