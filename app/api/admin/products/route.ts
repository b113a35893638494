import { authorize } from '@/lib/account/authorize';
import { createProduct } from '@/lib/desk/create-product';
import { listDeskProducts } from '@/lib/desk/list-desk-products';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson, validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { createProductSchema } from '@/lib/product/product-input';

const MAX_BODY_BYTES = 64 * 1024;

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  return json(await listDeskProducts(auth.user, page.data));
});

export const POST = route(async (request) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, createProductSchema, { maxBytes: MAX_BODY_BYTES });
  if (!body.ok) return body.response;
  const result = await createProduct(auth.user, body.data);
  return result.status === 'created' ? json(result.product, { status: 201 }) : problem('SLUG_TAKEN');
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
