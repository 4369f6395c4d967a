import { useTranslation } from 'react-i18next';
import { useFeedLink } from '../../api/use-public-link.ts';
import { PublicAddress } from '../../ui/basics/public-address.tsx';
import css from './project-settings.module.css';

/** Makes and revokes the address of the feed of a project. */
export const FeedSetting = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  return (
    <section className={css.feed} aria-labelledby="feed-title">
      <h2 id="feed-title">{t('publicLink.feed')}</h2>
      <PublicAddress {...useFeedLink(project)} help={t('publicLink.feedHelp')} />
    </section>
  );
};
