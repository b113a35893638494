import { useTranslations } from 'next-intl';
import { Link } from '@/i18n/navigation';
import type { CampaignLink } from '@/lib/contract/shapes/campaign';
import { isolated } from '@/lib/human-text';

/** Says to which campaign a sale belongs, and leads there. */
export function CampaignLine({ campaign }: { campaign: CampaignLink }) {
  const t = useTranslations('Sale');
  return (
    <p className="text-muted">
      {t.rich('partOf', {
        title: isolated(campaign.title),
        link: (words) => (
          <Link
            href={`/campaigns/${campaign.slug}`}
            prefetch={false}
            className="inline-flex min-h-11 items-center font-medium text-text underline underline-offset-4"
          >
            {words}
          </Link>
        ),
      })}
    </p>
  );
}
