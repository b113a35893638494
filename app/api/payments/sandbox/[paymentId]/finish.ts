import type { Call } from '@/lib/api/serve';
import type { paySandboxPayment } from '@/lib/contract/operations/payments';
import { finishPayment } from '@/lib/payment/providers/sandbox/finish-payment';

type Pressed = Pick<Call<typeof paySandboxPayment>, 'params' | 'body' | 'refuse'>;

/** Handles the press of either button on the sandbox's payment page. */
export async function finish({ params, body, refuse }: Pressed, decision: 'pay' | 'decline') {
  const result = await finishPayment(params.paymentId, body.token, decision);
  switch (result.status) {
    case 'finished':
      return { status: result.page.status, returnUrl: result.page.returnUrl };
    case 'not_found':
      return refuse('PAYMENT_NOT_FOUND');
    case 'callback_refused':
      return refuse('CALLBACK_REFUSED');
  }
}
