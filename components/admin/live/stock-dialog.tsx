'use client';

import { useTranslations } from 'next-intl';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { Button, buttonStyle } from '@/components/ui/button';
import { onEscape } from '@/components/ui/on-escape';
import type { Situation } from '@/lib/contract/shapes/live';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { StockForm } from '../sales/stock-form';

interface StockDialogProps {
  sale: Pick<SaleInfo, 'saleId' | 'variants'>;
  stock: NonNullable<Situation['stock']>;
  onChange: () => void;
}

/** Opens the stock form. The button is on the first screen, and the form takes no room until it is opened. */
export function StockDialog(props: StockDialogProps) {
  const t = useTranslations('Admin');
  const live = useTranslations('AdminLive');
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <Button>{t('addStock')}</Button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0_0_0/0.5)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onEscape(() => setOpen(false))}
          className="fixed top-1/2 left-1/2 z-40 grid max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 gap-4 overflow-auto rounded-card border border-line bg-panel p-6 shadow-card"
        >
          <Dialog.Title className="font-semibold text-xl">{t('addStock')}</Dialog.Title>
          <StockForm {...props} onDone={() => setOpen(false)} />
          <Dialog.Close className={buttonStyle()}>{live('close')}</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
