import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { retryMessage } from '@/lib/queues/retry-message';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.retryMessage, async ({ user, params: { id }, refuse }) => {
    const { status } = await retryMessage(user, id);
    switch (status) {
      case 'due':
        return { id, status };
      case 'not_waiting':
        return refuse('MESSAGE_STATE');
      case 'not_found':
        return refuse('MESSAGE_NOT_FOUND');
    }
  }),
);
