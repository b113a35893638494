import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { MAIL_TOPICS, type MailTopic } from '@/lib/contract/words/mail';
import { db } from '@/lib/db/client';

const shown = ({ mutedMails }: { mutedMails: string[] }): { muted: MailTopic[] } => ({
  muted: MAIL_TOPICS.filter((topic) => mutedMails.includes(topic)),
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readMutedMails, async ({ user: { userId } }) =>
    shown(await db().user.findUniqueOrThrow({ where: { id: userId }, select: { mutedMails: true } })),
  ),
  serve(contract.muteMails, async ({ user: { userId }, body: { muted } }) =>
    shown(
      await db().user.update({
        where: { id: userId },
        data: { mutedMails: MAIL_TOPICS.filter((topic) => muted.includes(topic)) },
        select: { mutedMails: true },
      }),
    ),
  ),
);
