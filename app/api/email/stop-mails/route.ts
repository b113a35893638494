import { stopMails } from '@/lib/access/stop-mails';
import { readStopToken } from '@/lib/account/stop-mails-link';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

/** The token alone says whose mails: mail programs have no session, and send a form. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.openStopMails, async ({ query: { token } }) => {
    // A token that is not ours has no place in an address; the page says what to do without one.
    const location = `/stop-mails${readStopToken(token) ? `#${token}` : ''}`;
    const headers = { location, 'content-type': 'text/plain; charset=utf-8' };
    return new Response('See /stop-mails\n', { status: 303, headers });
  }),
  serve(contract.stopMails, async ({ query: { token }, refuse }) => {
    const stopped = await stopMails(token);
    return stopped === null ? refuse('STOP_LINK_INVALID') : { stopped };
  }),
);
