'use client';

import { useTranslations } from 'next-intl';
import type { ComponentType, ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { PageHeading } from '@/components/ui/headings';
import type { Permission } from '@/lib/contract/words/roles';
import { AdminGate } from './admin-gate';

/** Messages that name a page, and say what it is for. */
type Words =
  | 'Admin'
  | 'Admin.blocks'
  | `Admin${'Alerts' | 'Approvals' | 'Audit' | 'Orders' | 'Queues' | 'Reconcile' | 'Risk' | 'Users' | 'Why'}`;

/**
 * A page of the admin area for those it is for. What it shows is first rendered in the browser, where the address is known.
 * @param permission everybody's who may see the admin area unless said otherwise
 * @param words where `forbidden` tells others whom it is for
 */
export function adminPage(
  Content: ComponentType,
  permission?: Permission,
  words?: 'Admin.blocks' | 'AdminAudit' | 'AdminRisk' | 'AdminUsers',
): ComponentType {
  return function AdminPage() {
    const t = useTranslations(words ?? 'Common');
    return (
      <AdminGate permission={permission} refusal={t('forbidden')}>
        <Content />
      </AdminGate>
    );
  };
}

interface PageFrameProps {
  words: Words;
  /** What stands beside the heading. */
  beside?: ReactNode;
  /** How far its parts are apart. */
  className?: string;
  children: ReactNode;
}

/** A page's heading and what follows. */
export function PageFrame({ words, beside, className, children }: PageFrameProps) {
  const t = useTranslations(words);
  const heading = <PageHeading heading={t('heading')} intro={t('intro')} />;
  return (
    <div className={cn('grid gap-8', className)}>
      {beside ? (
        <div className="flex flex-wrap items-end justify-between gap-4">
          {heading}
          {beside}
        </div>
      ) : (
        heading
      )}
      {children}
    </div>
  );
}
