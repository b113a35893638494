import { listLiveSales } from '@/lib/checkout/list-live-sales';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = route(async (request) => {
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  return json(await listLiveSales(page.data), { headers: { 'cache-control': 'public, max-age=1' } });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
