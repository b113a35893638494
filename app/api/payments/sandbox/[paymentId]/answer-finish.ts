import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { finishPayment, finishPaymentSchema } from '@/lib/payment/sandbox/finish-payment';

/** The handler of one of the two buttons on the sandbox's payment page. */
export const answerFinish = (decision: 'pay' | 'decline') =>
  route<{ paymentId: string }>(async (request, { paymentId }) => {
    const body = await readJson(request, finishPaymentSchema);
    if (!body.ok) return body.response;
    const result = await finishPayment(paymentId, body.data.token, decision);
    switch (result.status) {
      case 'finished':
        return json({ status: result.page.status, returnUrl: result.page.returnUrl });
      case 'not_found':
        return problem('PAYMENT_NOT_FOUND');
      case 'callback_refused':
        return problem('CALLBACK_REFUSED');
    }
  });
