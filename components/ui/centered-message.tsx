import type { ReactNode } from 'react';

/** Lays out a page that shows a single message. */
export function CenteredMessage({
  heading,
  text,
  children,
}: {
  heading: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-4 py-16 text-center">
      <h1 className="font-bold text-3xl tracking-tight">{heading}</h1>
      {text ? <p className="max-w-prose text-lg text-muted">{text}</p> : null}
      {children}
    </div>
  );
}
