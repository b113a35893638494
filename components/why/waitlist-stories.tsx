import { useLocale, useTranslations } from 'next-intl';
import type { WaitlistStory } from '@/lib/contract/shapes/attempt';
import { isolated } from '@/lib/human-text';
import { formatOffset } from './format-offset';

/** Says what became of each place that somebody had on the waitlist; nothing without one. */
export function WaitlistStories({
  stories,
  startsAt,
}: {
  stories: readonly WaitlistStory[];
  startsAt: number;
}) {
  const t = useTranslations('Why');
  const locale = useLocale();
  if (stories.length === 0) return null;
  const offset = (at: number) =>
    t(at < startsAt ? 'before' : 'after', { time: formatOffset(at - startsAt, locale) });
  const becameText = ({ became, at, orderNo, why }: WaitlistStory) =>
    t(`waitlist.${became}`, {
      offset: at === null ? '' : offset(at),
      orderNo: orderNo ?? '',
      why: why === null ? '' : t(`passed.${why}`),
    });
  const joinedText = ({ number, variantName, joinedAt }: WaitlistStory) => {
    const since = { number, offset: offset(joinedAt) };
    return variantName === null
      ? t('waitlist.joined', since)
      : t('waitlist.joinedFor', { ...since, name: isolated(variantName) });
  };
  return (
    <ul className="grid gap-2">
      {stories.map((story) => (
        <li key={story.number}>
          {joinedText(story)} {becameText(story)}
        </li>
      ))}
    </ul>
  );
}
