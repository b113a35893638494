import { useTranslations } from 'next-intl';
import { TOPICS } from '@/lib/contract/words/shop';
import type { Standing } from './standing-fields';

/** Returns a function that says in words what somebody is in a shop. */
export function useStandingWords(): (standing: Standing) => string {
  const t = useTranslations('AdminShop');
  return ({ role, topics }) => {
    if (role !== 'editor' || topics.length === TOPICS.length) return t(`roles.${role}`);
    if (topics.length === 0) return t('editorOfNothing');
    const names = topics.map((topic) => t(`topic.${topic}`)).join(t('and'));
    return t('editorOf', { topics: names });
  };
}
