import { useTranslations } from 'next-intl';
import { cn } from '@/components/ui/cn';
import { Link } from '@/i18n/navigation';
import type { CampaignLink } from '@/lib/contract/shapes/campaign';

interface CampaignLineProps {
  campaign: CampaignLink;
  /** On a card, whose own link covers all of it: this one lies above. */
  isOnCard?: boolean;
}

/** Says to which campaign a sale belongs, and leads there. */
export function CampaignLine({ campaign, isOnCard = false }: CampaignLineProps) {
  const t = useTranslations('Sale');
  return (
    <p className={cn('text-muted', isOnCard && '-my-2 text-sm')}>
      {t.rich('partOf', {
        title: campaign.title,
        link: (words) => (
          <Link
            href={`/campaigns/${campaign.slug}`}
            prefetch={false}
            className={cn(
              'inline-flex min-h-11 items-center underline underline-offset-4',
              isOnCard ? 'relative z-10' : 'font-medium text-text',
            )}
          >
            {words}
          </Link>
        ),
      })}
    </p>
  );
}
