import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type Namespace, pickMessages } from '@/i18n/pick-messages';
import type { Area } from '@/lib/contract/operation';
import { pickErrors } from './pick-errors';

interface PageMessagesProps {
  /** All namespaces they use besides those of every page; a test compares them with the code. */
  of: readonly Namespace[];
  /** Those that only some of these pages use. */
  also?: readonly Namespace[];
  /** The areas of the HTTP interface whose errors they may show; left out: all. */
  errorsOf?: readonly Area[];
  children: ReactNode;
}

/** Gives the client components of a page their messages. */
export async function PageMessages({ of, also = [], errorsOf, children }: PageMessagesProps) {
  const all = await getMessages();
  const messages = pickMessages(all, [...of, ...also]);
  if (errorsOf) Object.assign(messages, { Errors: pickErrors(all.Errors, errorsOf) });
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}
