import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/basics/button.tsx';
import { RegistrationTokensDialog } from './registration-tokens-dialog.tsx';

/** Opens the registration tokens. */
export const RegistrationTokensButton = () => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="key" onClick={() => setOpen(true)}>
        {t('registrations.title')}
      </Button>
      {isOpen ? <RegistrationTokensDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
};
