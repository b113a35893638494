import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import type { ChangeResult } from './change-sale';

/** Makes the HTTP answer to a change of a sale: the sale, 404, or 409 SALE_STATE. */
export function answerChange(result: ChangeResult): Response {
  switch (result.status) {
    case 'changed':
      return json(result.sale);
    case 'not_found':
      return problem('SALE_NOT_FOUND');
    case 'wrong_state':
      return problem('SALE_STATE', { detail: `The sale is ${result.is}.`, extra: { is: result.is } });
  }
}
