import { Suspense, use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { DeletedMeanwhile } from '../../../ui/dialogs/deleted-meanwhile.ts';
import { NEW_OBJECT_LABELS, NewObject, type NewObjectKind } from '../../../ui/forms/new-object.ts';

/** Opens the form of a new object over the page, or shows that the user may not create one. */
export const NewObjectButton = ({ kind }: { kind: NewObjectKind }) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const Form = use(NewObject)[kind];
  if (!Form) return <p>{t('firstRun.mayNot')}</p>;
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {t(NEW_OBJECT_LABELS[kind])}
      </Button>
      {isOpen ? (
        <Suspense>
          <DeletedMeanwhile value={false}>
            <Form onClose={close} onCreated={close} />
          </DeletedMeanwhile>
        </Suspense>
      ) : null}
    </>
  );
};
