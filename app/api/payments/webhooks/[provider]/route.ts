import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readText } from '@/lib/http/read-json';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { findProvider } from '@/lib/payment/providers/providers';

const MAX_BODY_BYTES = 64 * 1024;

/** Always answers an authentic callback with 200, whatever it leads to: the provider need not send it again. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.receivePayment, async (request, params) => {
    const provider = findProvider(params.provider);
    if (!provider) return problem('NOT_FOUND', { detail: 'There is no such payment provider.' });
    const body = await readText(request, MAX_BODY_BYTES);
    if (body === null) return problem('TOO_LARGE');
    const verdict = await provider.verifyWebhook(body, request.headers);
    if (verdict.status === 'signature_invalid')
      return problem('SIGNATURE_INVALID', { detail: verdict.detail });
    if (verdict.status === 'malformed') return problem('MALFORMED', { detail: verdict.detail });
    return json({ outcome: await applyPaymentEvent(provider.name, verdict.event) });
  }),
);
