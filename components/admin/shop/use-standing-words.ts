import { useTranslations } from 'next-intl';
import { SHOP_TOPICS } from '@/lib/contract/words/shop';
import type { Standing } from './standing-fields';

/** Returns a function that says a person's standing in a shop in words. */
export function useStandingWords(): (standing: Standing) => string {
  const t = useTranslations('AdminShop');
  return ({ role, topics }) => {
    if (role !== 'editor' || topics.length === SHOP_TOPICS.length) return t(`roles.${role}`);
    if (topics.length === 0) return t('editorOfNothing');
    const names = topics.map((topic) => t(`topic.${topic}`)).join(t('and'));
    return t('editorOf', { topics: names });
  };
}
