import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';

/** The look of what a card says first. */
export const LARGE = 'font-bold text-3xl tabular-nums tracking-tight';
/** The look of a link in a card. */
export const LINK = 'inline-flex min-h-11 items-center font-medium underline underline-offset-4';

/** A card of the admin area's first page. */
export function HomeCard({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Card className="grid content-start gap-2 p-5">
      <h2 className="font-medium text-muted">{heading}</h2>
      {children}
    </Card>
  );
}
