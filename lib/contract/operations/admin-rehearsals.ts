import { area } from '../operation';
import { page, pageOf } from '../shapes/common';
import { preflight } from '../shapes/preflight';
import { newRehearsal, rehearsal } from '../shapes/rehearsal';

export const adminRehearsals = area(
  'Admin: before a sale',
  'Whether everything is there that a sale needs, and how it would go.',
);
const { operation } = adminRehearsals;

export const runPreflight = operation('GET /api/admin/sales/{saleId}/preflight', {
  who: 'seeAdmin',
  says: 'Looks at all that a sale needs, now.',
  answers: { 200: preflight },
  errors: ['SALE_NOT_FOUND'],
});

export const listRehearsals = operation('GET /api/admin/sales/{saleId}/rehearsals', {
  who: 'seeAdmin',
  says: "A sale's rehearsals, the latest first.",
  query: page,
  answers: { 200: pageOf('rehearsals', rehearsal) },
  errors: ['SALE_NOT_FOUND'],
});

export const requestRehearsal = operation('POST /api/admin/sales/{saleId}/rehearsals', {
  who: 'manageSales',
  says: 'Has a worker rehearse a sale that has not started, with made-up shoppers: 202. While one waits or runs: 200 with that one.',
  body: newRehearsal,
  answers: { 202: rehearsal, 200: rehearsal },
  errors: ['SALE_NOT_FOUND', 'SALE_STATE', 'REHEARSAL_UNSUPPORTED'],
});
