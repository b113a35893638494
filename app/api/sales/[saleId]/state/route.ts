import { readState } from '@/lib/checkout/read-state';
import { otherMethods } from '@/lib/http/other-methods';
import { toResponse } from '@/lib/http/reply';
import { route } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = route<{ saleId: string }>(async (request, { saleId }) =>
  toResponse(await readState(saleId, new URL(request.url).searchParams.has('clock'))),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
