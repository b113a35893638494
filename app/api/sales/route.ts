import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';
import { answerSales } from '@/lib/sale/answer-sales';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.listSales, async (request) =>
    toResponse(await answerSales(new URL(request.url).search.slice(1))),
  ),
);
