import { pageAddress } from '@/i18n/page-address';
import { stopMails } from '@/lib/access/stop-mails';
import { readStopMails } from '@/lib/account/stop-mails-link';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

/** The link alone identifies the account: mail programs have no session, and post a form. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.openStopMails, async ({ query: { token, language } }) => {
    const page = pageAddress('/stop-mails', language);
    // A wrong token has no place in an address; the page says what to do without a link.
    const location = readStopMails(token) ? `${page}#${token}` : page;
    return new Response(`${page}\n`, { status: 303, headers: { location, 'content-type': 'text/plain' } });
  }),
  serve(contract.stopMails, async ({ query: { token }, refuse }) => {
    const stopped = await stopMails(token);
    return stopped === null ? refuse('STOP_LINK_INVALID') : { stopped };
  }),
);
