'use client';

import { useTranslations } from 'next-intl';
import type { ComponentType, ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { PageHeading } from '@/components/ui/headings';
import type { Permission } from '@/lib/contract/words/roles';
import { AdminGate } from './admin-gate';

/** Messages that name a page and say what it is for. */
type Words =
  | 'Admin'
  | 'Admin.blocks'
  | `Admin${'Alerts' | 'Approvals' | 'Audit' | 'Campaigns' | 'Mails' | 'Money' | 'Orders' | 'People' | 'Products' | 'Queues' | 'Reconcile' | 'Risk' | 'Setup' | 'Shop' | 'Switchboard' | 'Users' | 'Why'}`;

/**
 * Makes a page of the admin area that only users with the permission see. Its content is first rendered in the
 * browser, where the address is known.
 * @param permission if left out, everybody who may see the admin area
 * @param words messages whose `forbidden` tells other users whom the page is for
 */
export function adminPage(
  Content: ComponentType,
  permission?: Permission,
  words?:
    | 'Admin.blocks'
    | 'AdminAudit'
    | 'AdminMails'
    | 'AdminPeople'
    | 'AdminRisk'
    | 'AdminSetup'
    | 'AdminSwitchboard'
    | 'AdminUsers',
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
  /** Stands beside the heading. */
  beside?: ReactNode;
  /** Sets the distance between the page's parts. */
  className?: string;
  children: ReactNode;
}

/** Shows a page's heading and what follows. */
export function PageFrame({ words, beside, className = 'gap-8', children }: PageFrameProps) {
  const t = useTranslations(words);
  const heading = <PageHeading heading={t('heading')} intro={t('intro')} />;
  return (
    <div className={cn('grid', className)}>
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
