import { authorize } from '@/lib/account/authorize';
import { admitShopper } from '@/lib/checkout/admit-shopper';
import { cancelReservation } from '@/lib/checkout/cancel-reservation';
import { findReservation } from '@/lib/checkout/find-reservation';
import { reserve } from '@/lib/checkout/reserve';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { describeLimit } from '@/lib/limit/describe-limit';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { requestAddress } from '@/lib/server/client-header';

type Window = { opensAt: number; closesAt: number } | null;

function closed(window: Window, detail: string): Response {
  if (!window) return problem('RESERVATION_CLOSED', { detail: 'This sale takes no reservations.' });
  return problem('RESERVATION_CLOSED', { detail, extra: window });
}

/** The shopper's own reservation. */
export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  const sale = await findSaleInfo(saleId);
  if (!sale) return problem('SALE_NOT_FOUND');
  const reservedAt = sale.reservation ? await findReservation(sale, auth.user.userId) : null;
  return reservedAt === null ? problem('RESERVATION_NOT_FOUND') : json({ reservedAt });
});

export const POST = route<{ saleId: string }>(async (request, { saleId }) => {
  const address = requestAddress(request.headers);
  const auth = await admitShopper(request, address);
  if (!auth.ok) return auth.response;
  const result = await reserve(saleId, auth.user.userId, address);
  switch (result.status) {
    case 'reserved':
      return json({ reservedAt: result.reservedAt }, { status: 201, headers: auth.headers });
    case 'already_reserved':
      return json({ reservedAt: result.reservedAt });
    case 'not_open':
      return closed(result.window, 'Reservations have not opened yet.');
    case 'closed':
      return closed(result.window, 'Reservations have closed.');
    case 'rate_limited':
      return problem('RATE_LIMITED', describeLimit(result.limited));
    case 'busy':
      return problem('UNAVAILABLE');
    case 'sale_not_found':
      return problem('SALE_NOT_FOUND');
  }
});

/** Cancels the shopper's own reservation. */
export const DELETE = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  const result = await cancelReservation(saleId, auth.user.userId, requestAddress(request.headers));
  switch (result.status) {
    case 'cancelled':
    case 'already_cancelled':
      return json({ cancelledAt: result.cancelledAt });
    case 'rate_limited':
      return problem('RATE_LIMITED', describeLimit(result.limited));
    case 'not_reserved':
      return problem('RESERVATION_NOT_FOUND');
    case 'closed':
      return closed(result.window, 'Reservations have closed.');
    case 'sale_not_found':
      return problem('SALE_NOT_FOUND');
  }
});

export const { PUT, PATCH, OPTIONS } = otherMethods('GET', 'POST', 'DELETE');
