import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readText } from '@/lib/http/read-json';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { findProvider } from '@/lib/payment/providers/providers';
import { ProviderSilentError, reachProvider } from '@/lib/payment/providers/reach-provider';

const MAX_BODY_BYTES = 64 * 1024;

/** A provider that can't be asked about its own callback sends it again. */
function toSilent(error: unknown): null {
  if (error instanceof ProviderSilentError) return null;
  throw error;
}

/** Answers an authentic callback, and one about nothing of this shop, with 200, whatever it leads to: the provider need not send it again. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.receivePayment, async (request, params) => {
    const provider = findProvider(params.provider);
    if (!provider) return problem('NOT_FOUND', { detail: 'There is no such payment provider.' });
    const body = await readText(request, MAX_BODY_BYTES);
    if (body === null) return problem('TOO_LARGE');
    const verdict = await reachProvider(provider.name, async (asked) =>
      asked.verifyWebhook(body, request.headers),
    ).catch(toSilent);
    if (verdict === null) return problem('PAYMENT_UNAVAILABLE');
    if (verdict.status === 'signature_invalid')
      return problem('SIGNATURE_INVALID', { detail: verdict.detail });
    if (verdict.status === 'malformed') return problem('MALFORMED', { detail: verdict.detail });
    if (verdict.status === 'not_ours') return json({ outcome: 'ignored' });
    return json({ outcome: await applyPaymentEvent(provider.name, verdict.event) });
  }),
);
