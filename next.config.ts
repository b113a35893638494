import type { NextConfig } from 'next';
import createNextIntlPlugin from 'next-intl/plugin';
import { SHELL_PAGES, shellOf } from './lib/server/shell-pages';

const withNextIntl = createNextIntlPlugin({
  requestConfig: './i18n/request.ts',
  // Messages are parsed while building: the parser would be 7 KB of each page.
  experimental: { messages: { path: './messages', format: 'json', locales: 'infer', precompile: true } },
});

/**
 * Every path that is a page in the default language: anything except interfaces, framework files, health checks,
 * files with an extension, and pages that already carry a language.
 */
const UNPREFIXED_PAGE = '/:path((?!api(?:/|$)|_next(?:/|$)|livez$|readyz$|en(?:/|$)|zh-CN(?:/|$)|.*\\.).*)';

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
    'stripe',
    '@mollie/api-client',
    '@aws-sdk/client-s3',
  ],
  // Scripts are read from disk at run time, so tracing can't see them.
  outputFileTracingIncludes: {
    '/**': ['./lib/**/*.lua', './lib/account/hash-worker.mjs', './lib/media/shrink-worker.mjs'],
  },
  // Our server keeps what is shown; Next needs a copy only while it renews one. A page takes four times its counted size:
  // 50 MB, the default, were 240 MB of heap.
  cacheMaxMemorySize: 8 * 1024 * 1024,
  experimental: {
    // Pages filled from the database live in memory only: a rebuilt or restored database never meets an old page.
    isrFlushToDisk: false,
  },
  // `npm test` checks the types of everything, tests included; a shop that starts need not do it again.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  async headers() {
    return [
      {
        source: '/products/:file*',
        headers: [
          { key: 'Cache-Control', value: 'public, max-age=86400, stale-while-revalidate=604800' },
          // Mails and other shops' pages may show them.
          { key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' },
        ],
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
        ...SHELL_PAGES.map((page) => ({ source: page, destination: `/en${shellOf(page)}` })),
        ...SHELL_PAGES.map((page) => ({ source: `/zh-CN${page}`, destination: `/zh-CN${shellOf(page)}` })),
        { source: UNPREFIXED_PAGE, destination: '/en/:path' },
      ],
      afterFiles: [],
      fallback: [],
    };
  },
};

export default withNextIntl(nextConfig);
