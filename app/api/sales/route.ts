import { answerSales } from '@/lib/checkout/answer-sales';
import { otherMethods } from '@/lib/http/other-methods';
import { toResponse } from '@/lib/http/reply';
import { route } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = route(async (request) =>
  toResponse(await answerSales(new URL(request.url).search.slice(1))),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
