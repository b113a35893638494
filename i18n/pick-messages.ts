import type messages from '../messages/en.json';

type Messages = typeof messages;
export type Namespace = keyof Messages;

/** Namespaces that every page needs in the browser: for the header, the footer and the error page. */
export const EVERYWHERE = ['Layout', 'Common', 'ErrorPage'] as const satisfies Namespace[];

/** Picks the messages that a page's client components use: a page carries no others. */
export function pickMessages(all: Messages, namespaces: readonly Namespace[]): Partial<Messages> {
  const wanted = new Set<string>([...EVERYWHERE, ...namespaces]);
  return Object.fromEntries(
    Object.entries(all).filter(([namespace]) => wanted.has(namespace)),
  ) as Partial<Messages>;
}
