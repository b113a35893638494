'use client';

import type { ComponentProps, ReactNode } from 'react';
import { Link } from '@/i18n/navigation';
import { Button, buttonStyle } from './button';
import { cn } from './cn';

/** One box for every state, so that nothing around it moves when the state changes. */
const BOX = 'h-14 w-full whitespace-nowrap tabular-nums';

interface MainButtonProps extends Pick<ComponentProps<typeof Button>, 'tone' | 'isBusy' | 'children'> {
  /** If left out, the button says how things stand, and can't be pressed. */
  onPress?: () => void;
}

/** The one button of a sale's page. */
export const MainButton = ({ tone = 'primary', onPress, ...rest }: MainButtonProps) => (
  <Button {...rest} tone={tone} size="lg" className={BOX} disabled={!onPress} onClick={onPress} />
);

interface MainLinkProps {
  href: string;
  tone?: 'primary' | 'success';
  children: ReactNode;
}

/** Stands in the button's place where there is a page to go to. */
export const MainLink = ({ href, tone = 'primary', children }: MainLinkProps) => (
  <Link href={href} prefetch={false} className={cn(buttonStyle({ tone, size: 'lg' }), BOX)}>
    {children}
  </Link>
);

/** Stands there for people who have to sign in first. @param pagePath of the page to come back to, without its language */
export const MainSignIn = ({ pagePath, children }: { pagePath: string; children: ReactNode }) => (
  <MainLink href={`/signin?callbackUrl=${encodeURIComponent(pagePath)}`}>{children}</MainLink>
);
