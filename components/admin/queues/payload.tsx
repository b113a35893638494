'use client';

import { useTranslations } from 'next-intl';
import { cutText } from '@/lib/human-text';

/** Bounds how much of a payload is shown. A batch of 500 orders is 50,000 characters, and nobody reads more than this. */
const MOST_CHARS = 8_000;

/** Shows what a message carried, as JSON. Folded until the reader opens it. */
export function Payload({ value }: { value: unknown }) {
  const t = useTranslations('AdminQueues');
  return (
    <details className="text-sm">
      <summary className="flex min-h-11 items-center text-muted underline underline-offset-4">
        {t('payload')}
      </summary>
      <Text value={value} />
    </details>
  );
}

function Text({ value }: { value: unknown }) {
  const t = useTranslations('AdminQueues');
  const text = JSON.stringify(value, null, 2) ?? '';
  const shown = cutText(text, MOST_CHARS);
  return (
    <>
      {/* Focusable, so that the keyboard can scroll it too. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto whitespace-pre-wrap break-all rounded-lg bg-sunken px-3 py-2 font-mono"
      >
        {shown}
      </pre>
      {shown.length < text.length ? (
        <p className="text-muted">{t('cut', { count: text.length - shown.length })}</p>
      ) : null}
    </>
  );
}
