import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import type { OwnMails } from '@/lib/contract/shapes/mail';
import { MAIL_TOPICS } from '@/lib/contract/words/mail';
import { db } from '@/lib/db/client';

const select = { mutedMails: true, mailRefusedAt: true } as const;
const shown = ({
  mutedMails,
  mailRefusedAt,
}: {
  mutedMails: string[];
  mailRefusedAt: Date | null;
}): OwnMails => ({
  muted: MAIL_TOPICS.filter((topic) => mutedMails.includes(topic)),
  mailRefusedAt: mailRefusedAt?.getTime() ?? null,
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readMutedMails, async ({ user: { userId } }) =>
    shown(await db().user.findUniqueOrThrow({ where: { id: userId }, select })),
  ),
  serve(contract.muteMails, async ({ user: { userId }, body: { muted } }) =>
    shown(
      await db().user.update({
        where: { id: userId },
        data: { mutedMails: MAIL_TOPICS.filter((topic) => muted.includes(topic)) },
        select,
      }),
    ),
  ),
);
