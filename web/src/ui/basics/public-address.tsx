import type { PublicLink } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import css from './public-address.module.css';

interface PublicAddressProps {
  help: string;
  /** Undefined while it loads. */
  link: PublicLink | undefined;
  /** The address, if it was just made. */
  address: string | undefined;
  isBusy: boolean;
  onCreate: () => void;
  onRevoke: () => void;
  onCopy: (address: string) => void;
}

/** Switches a public address on and off. The address is shown once, when it is made. */
export const PublicAddress = ({ help, link, address, isBusy, onCreate, onRevoke, onCopy }: PublicAddressProps) => {
  const { t } = useTranslation();
  return (
    <div className={css.part}>
      <p>{help}</p>
      {address === undefined ? null : (
        <Alert colour="ok">
          <b>{t('webhooks.once')}</b>
          <div className={css.address}>
            <code>{address}</code>
            <Button small icon="copy" onClick={() => onCopy(address)}>
              {t('webhooks.copyAddress')}
            </Button>
          </div>
        </Alert>
      )}
      {link?.active && address === undefined ? <p>{t('publicLink.by', { name: link.created_by })}</p> : null}
      {link === undefined ? null : (
        <div className={css.actions}>
          <Button small icon={link.active ? 'again' : 'plus'} busy={isBusy} onClick={onCreate}>
            {t(link.active ? 'webhooks.renew' : 'publicLink.create')}
          </Button>
          {link.active ? (
            <Button small variant="stop" busy={isBusy} onClick={onRevoke}>
              {t('publicLink.revoke')}
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
};
