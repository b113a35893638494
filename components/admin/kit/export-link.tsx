'use client';

import type { MouseEvent } from 'react';
import { request } from '@/components/api/request';
import { buttonStyle } from '@/components/ui/button';
import { askToConfirm } from './ask-again';

/** Links to a file that staff download, and has them show first who they are where the server would ask. */
export function ExportLink({ href, children }: { href: string; children: string }) {
  const onClick = async (event: MouseEvent) => {
    event.preventDefault();
    const factors = await request('GET /api/account/factors').catch(() => null);
    if (factors?.mustConfirm && !(await askToConfirm())) return;
    // A download of its own: a refusal does not take the page's place.
    Object.assign(document.createElement('a'), { href, download: '' }).click();
  };
  return (
    <a href={href} download onClick={onClick} className={buttonStyle()}>
      {children}
    </a>
  );
}
