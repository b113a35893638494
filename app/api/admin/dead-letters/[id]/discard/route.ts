import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { discardDeadLetter } from '@/lib/dead-letter/discard-dead-letter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.discardDeadLetter, async ({ user, params, body, refuse }) => {
    const result = await discardDeadLetter(user, params.id, body.reason);
    switch (result.status) {
      case 'discarded':
        return result.deadLetter;
      case 'resolved':
        return refuse('DEAD_LETTER_STATE', { detail: `It is resolved: ${result.resolution}.` });
      case 'not_found':
        return refuse('DEAD_LETTER_NOT_FOUND');
    }
  }),
);
