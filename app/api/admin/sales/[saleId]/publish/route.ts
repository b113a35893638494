import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { publishChecked } from '@/lib/preflight/publish-checked';
import { answerChange } from '@/lib/sale/admin/answer-change';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.publishSale, async ({ user, params, refuse }) => {
    const result = await publishChecked(user, params.saleId);
    if (result.status === 'campaign') return refuse(result.code);
    if (result.status === 'product_archived') return refuse('PRODUCT_ARCHIVED');
    if (result.status !== 'not_ready') return answerChange(result);
    const { checks } = result;
    return refuse('PREFLIGHT_FAILED', {
      detail: checks.map(({ detail }) => detail).join(' '),
      extra: { checks },
    });
  }),
);
