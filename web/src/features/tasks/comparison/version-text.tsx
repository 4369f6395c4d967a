import type { VersionDifference } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { versionName } from '../../../ui/tasks/version-name.ts';

/** The name of what has a version. */
export const VersionLabel = ({ version }: { version: VersionDifference }) => {
  const { t } = useTranslation();
  return <>{versionName(t, version)}</>;
};

/** A version; null if a run did not have it, empty if it is unknown. */
export const VersionText = ({ text }: { text: string | null }) => {
  const { t } = useTranslation();
  if (text === null) return <span className="faint">–</span>;
  return text === '' ? <span className="faint">{t('versions.unknown')}</span> : <code>{text}</code>;
};
