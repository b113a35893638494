import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type Namespace, pickMessages } from '@/i18n/pick-messages';

/**
 * Gives the client components of a page their messages.
 * @param of all namespaces they use besides those of every page; a test compares them with the code
 */
export async function PageMessages({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  return (
    <NextIntlClientProvider messages={pickMessages(await getMessages(), of)}>
      {children}
    </NextIntlClientProvider>
  );
}
