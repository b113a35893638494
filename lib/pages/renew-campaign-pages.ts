import 'server-only';
import { renewSalePages } from './renew-sale-pages';

/** Renews the pages that name a campaign: its own, those of its sales, and the list. */
export const renewCampaignPages = ({
  slug,
  sales,
}: {
  slug: string;
  sales: readonly { slug: string }[];
}): Promise<void> =>
  renewSalePages(
    sales.map((sale) => sale.slug),
    slug,
  );
