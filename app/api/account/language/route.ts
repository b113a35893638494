import { rememberLocale } from '@/lib/account/remember-locale';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.chooseLanguage, async ({ user: { userId, locale }, body: { language } }) => {
    await rememberLocale({ id: userId, locale }, language);
    return { language };
  }),
);
