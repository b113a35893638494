import { authorize } from '@/lib/account/authorize';
import { answerEdit } from '@/lib/desk/sales/answer-edit';
import { editSale } from '@/lib/desk/sales/edit-sale';
import { readDeskSale } from '@/lib/desk/sales/read-desk-sale';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { editSaleSchema } from '@/lib/sale/sale-input';

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const sale = await readDeskSale(auth.user, saleId);
  return sale ? json(sale) : problem('SALE_NOT_FOUND');
});

export const PATCH = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, editSaleSchema);
  return body.ok ? answerEdit(await editSale(auth.user, saleId, body.data)) : body.response;
});

export const { POST, PUT, DELETE, OPTIONS } = otherMethods('GET', 'PATCH');
