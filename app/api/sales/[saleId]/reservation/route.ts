import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { servedReservation } from '@/lib/api/visit/find-reservation';
import * as contract from '@/lib/contract/operations';
import { identifyDevice } from '@/lib/device/identify-device';
import { admitShopper } from '@/lib/entry/admit-shopper';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { toResponse } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { cancelReservation } from '@/lib/reservation/cancel-reservation';
import { reserve } from '@/lib/reservation/reserve';
import { requestAddress } from '@/lib/server/client-header';

type Window = { opensAt: number; closesAt: number } | null;

function closed(window: Window, detail: string): Response {
  if (!window) return problem('RESERVATION_CLOSED', { detail: 'This sale takes no reservations.' });
  return problem('RESERVATION_CLOSED', { detail, extra: window });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  servedReservation,
  bind(contract.reserve, async (request, { saleId }) => {
    const address = requestAddress(request.headers);
    const auth = await admitShopper(request, address);
    if (!auth.ok) return toResponse(auth.reply);
    const result = await reserve(saleId, auth.user.userId, { address, device: auth.user.device });
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
  }),
  serve(contract.cancelReservation, async ({ request, user, params: { saleId }, refuse }) => {
    const client = {
      address: requestAddress(request.headers),
      device: identifyDevice(request.headers).deviceId,
    };
    const result = await cancelReservation(saleId, user.userId, client);
    switch (result.status) {
      case 'cancelled':
      case 'already_cancelled':
        return { cancelledAt: result.cancelledAt };
      case 'rate_limited':
        return refuse('RATE_LIMITED', describeLimit(result.limited));
      case 'not_reserved':
        return refuse('RESERVATION_NOT_FOUND');
      case 'closed':
        return closed(result.window, 'Reservations have closed.');
      case 'sale_not_found':
        return refuse('SALE_NOT_FOUND');
    }
  }),
);
