import { exampleMail } from '@/lib/admin/mails/example-mail';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { isMailKind } from '@/lib/contract/words/mail';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readMailExample, async ({ params: { kind }, query: { locale }, refuse }) =>
    isMailKind(kind) ? { kind, locale, ...exampleMail(kind, locale) } : refuse('NOT_FOUND'),
  ),
);
