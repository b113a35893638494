import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { findCalendar } from '@/lib/sale/find-calendar';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readCalendar, async ({ params, query, refuse }) => {
    const found = await findCalendar(params.saleId, query.locale);
    switch (found.status) {
      case 'found':
        return new Response(found.text, {
          headers: {
            'content-type': 'text/calendar; charset=utf-8',
            'content-disposition': `attachment; filename="${found.slug}.ics"`,
            'cache-control': 'public, max-age=60',
          },
        });
      case 'sale_not_found':
        return refuse('SALE_NOT_FOUND');
      case 'sale_ended':
        return refuse('SALE_ENDED');
    }
  }),
);
