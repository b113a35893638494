import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { exampleMails } from '@/lib/preflight/example-mails';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listMailExamples, async ({ query: { language } }) => ({ mails: exampleMails(language) })),
);
