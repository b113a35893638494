import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { db } from '@/lib/db/client';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readTimeZone, ({ user: { userId } }) =>
    db().user.findUniqueOrThrow({ where: { id: userId }, select: { timeZone: true } }),
  ),
  serve(contract.chooseTimeZone, ({ user: { userId }, body: { timeZone } }) =>
    db().user.update({ where: { id: userId }, data: { timeZone }, select: { timeZone: true } }),
  ),
);
