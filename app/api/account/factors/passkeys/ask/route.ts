import { askOwnPasskey } from '@/lib/access/ask-passkey';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.askPasskey, async ({ user, answer }) => {
    const { question, setCookie } = await askOwnPasskey(user);
    return answer(200, question, { 'set-cookie': setCookie });
  }),
);
