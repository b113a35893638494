import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { retryDeadLetter } from '@/lib/dead-letter/retry-dead-letter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.retryDeadLetter, async ({ user, params, refuse }) => {
    const result = await retryDeadLetter(user, params.id);
    switch (result.status) {
      case 'retried':
        return result.deadLetter;
      case 'resolved':
        return refuse('DEAD_LETTER_STATE', { detail: `It is resolved: ${result.resolution}.` });
      case 'not_retryable':
        return refuse('DEAD_LETTER_STATE', { detail: `It can't be retried: ${result.why}.` });
      case 'not_found':
        return refuse('DEAD_LETTER_NOT_FOUND');
    }
  }),
);
