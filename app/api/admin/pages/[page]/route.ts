import { writeSiteText } from '@/lib/admin/site-pages/write-site-text';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { isSitePage } from '@/lib/contract/words/site-page';
import { listSiteTexts } from '@/lib/site-page/list-site-texts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readSiteTexts, async ({ params: { page }, refuse }) =>
    isSitePage(page) ? { page, texts: await listSiteTexts(page) } : refuse('NOT_FOUND'),
  ),
  serve(contract.writeSiteText, async ({ user, params: { page }, body, refuse }) => {
    if (!isSitePage(page)) return refuse('NOT_FOUND');
    const { status, text } = await writeSiteText(user, page, body);
    return status === 'written' ? text : refuse('VERSION_CONFLICT', { extra: { version: text.version } });
  }),
);
