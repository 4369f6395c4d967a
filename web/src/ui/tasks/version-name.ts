import type { VersionDifference } from '@signalbox/contract';
import type { TFunction } from 'i18next';

/** The name of what has a version. */
export const versionName = (t: TFunction, { what, name }: Pick<VersionDifference, 'what' | 'name'>): string => {
  switch (what) {
    case 'ansible':
      return 'ansible-core';
    case 'python':
      return 'Python';
    case 'image_digest':
      return t('versions.image');
    case 'collection':
      return t('versions.collection', { name });
    case 'role':
      return t('versions.role', { name });
  }
};
