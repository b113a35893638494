import type { NextConfig } from 'next';
import createNextIntlPlugin from 'next-intl/plugin';

const withNextIntl = createNextIntlPlugin('./i18n/request.ts');

/**
 * Every path that is a page in the default language: anything except interfaces, framework files, health checks,
 * files with an extension, and pages that already carry a language.
 */
const UNPREFIXED_PAGE = '/:path((?!api(?:/|$)|_next(?:/|$)|livez$|readyz$|en(?:/|$)|zh-CN(?:/|$)|.*\\.).*)';

/**
 * Pages whose content is personal have one prerendered shell for all addresses: opening one renders nothing and keeps
 * nothing, however many orders there are. The browser reads the id from its address.
 */
const SHELL_PAGES = ['/orders/:id', '/pay/sandbox/:id', '/admin/sales/:id', '/admin/orders/:id'];
const toShell = (page: string) => page.replace(':id', 'shell');

const PERMISSIONS_POLICY = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics']
  .map((feature) => `${feature}=()`)
  .join(', ');

const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  {
    key: 'Content-Security-Policy',
    value: "frame-ancestors 'none'; base-uri 'self'; object-src 'none'; form-action 'self'",
  },
  { key: 'Permissions-Policy', value: PERMISSIONS_POLICY },
];

const nextConfig: NextConfig = {
  reactStrictMode: true,
  // `npm run dev` lists requests: not those whose address opens something.
  logging: { incomingRequests: { ignore: [/[?&]token=/] } },
  poweredByHeader: false,
  // Tests and a second checkout of the server build beside a running one without overwriting it.
  distDir: process.env.NEXT_DIST_DIR || '.next',
  serverExternalPackages: [
    'ioredis',
    'pg',
    'pino',
    '@prisma/client',
    '@prisma/adapter-pg',
    '@node-rs/argon2',
    'inngest',
  ],
  // Scripts are read from disk at run time, so tracing can't see them.
  outputFileTracingIncludes: { '/**': ['./lib/**/*.lua'] },
  experimental: {
    // Pages filled from the database live in memory only: a rebuilt or restored database never meets an old page.
    isrFlushToDisk: false,
  },
  // `npm test` checks the types of everything, tests included; a shop that starts need not do it again.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  async headers() {
    return [
      { source: '/:path*', headers: SECURITY_HEADERS },
      {
        source: '/products/:file*',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=86400, stale-while-revalidate=604800' }],
      },
    ];
  },
  async redirects() {
    return [
      { source: '/en', destination: '/', permanent: false },
      { source: '/en/:path*', destination: '/:path*', permanent: false },
      { source: '/admin', destination: '/admin/sales', permanent: false },
      { source: '/zh-CN/admin', destination: '/zh-CN/admin/sales', permanent: false },
    ];
  },
  async rewrites() {
    return {
      // Before the file system, so that `/signin` never meets the `[locale]` segment as if it were a language.
      beforeFiles: [
        { source: '/', destination: '/en' },
        ...SHELL_PAGES.map((page) => ({ source: page, destination: `/en${toShell(page)}` })),
        ...SHELL_PAGES.map((page) => ({ source: `/zh-CN${page}`, destination: `/zh-CN${toShell(page)}` })),
        { source: UNPREFIXED_PAGE, destination: '/en/:path' },
      ],
      afterFiles: [],
      fallback: [],
    };
  },
};

export default withNextIntl(nextConfig);
