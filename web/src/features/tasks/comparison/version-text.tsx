import type { VersionDifference } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';

/** The name of what has a version. */
export const VersionLabel = ({ version: { what, name } }: { version: VersionDifference }) => {
  const { t } = useTranslation();
  switch (what) {
    case 'ansible':
      return <>ansible-core</>;
    case 'python':
      return <>Python</>;
    case 'image_digest':
      return <>{t('versions.image')}</>;
    case 'collection':
      return <>{t('versions.collection', { name })}</>;
    case 'role':
      return <>{t('versions.role', { name })}</>;
  }
};

/** A version; null if a run did not have it, empty if it is unknown. */
export const VersionText = ({ text }: { text: string | null }) => {
  const { t } = useTranslation();
  if (text === null) return <span className="faint">–</span>;
  return text === '' ? <span className="faint">{t('versions.unknown')}</span> : <code>{text}</code>;
};
