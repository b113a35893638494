'use client';

import { useTranslations } from 'next-intl';
import { encode } from 'uqr';

/**
 * Shows the secret of an app for one-time codes as a QR code, as a link for an app on this device, and in groups of four.
 * @param address `otpauth:` address
 */
export function TotpSecret({ secret, address }: { secret: string; address: string }) {
  const t = useTranslations('Account');
  const { data, size } = encode(address, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <>
      <p>{t('scan')}</p>
      {/* Black on white in every theme: cameras read no other. */}
      <svg
        role="img"
        aria-label={t('qr')}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="w-52 max-w-full rounded-xl border border-line bg-[#fff]"
      >
        <path d={squares.join('')} fill="#000" />
      </svg>
      <p className="text-muted">
        {t.rich('onThisDevice', {
          link: (words) => (
            <a href={address} className="font-semibold text-text underline underline-offset-4">
              {words}
            </a>
          ),
        })}
      </p>
      <p>
        {t('secret')}: <span className="wrap-anywhere font-mono">{secret.replace(/.{4}(?=.)/g, '$& ')}</span>
      </p>
    </>
  );
}
