'use client';

import { useTranslations } from 'next-intl';
import { encode } from 'uqr';

/** Shows the secret of an app for one-time codes as a QR code and in groups of four. @param address `otpauth:` address */
export function TotpSecret({ secret, address }: { secret: string; address: string }) {
  const t = useTranslations('Account');
  const { data, size } = encode(address, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <>
      <p className="text-muted">{t('scan')}</p>
      {/* Black on white in the dark theme too: cameras read no other. */}
      <svg
        role="img"
        aria-label={t('qr')}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="w-48 max-w-full rounded-xl bg-[#fff]"
      >
        <path d={squares.join('')} fill="#000" />
      </svg>
      <p>
        <span className="font-medium">{t('secret')}:</span>{' '}
        <span className="break-words font-mono">{secret.replace(/.{4}(?=.)/g, '$& ')}</span>
      </p>
    </>
  );
}
