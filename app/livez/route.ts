/** The process is alive as long as it answers; the check asks no other service. */
export const dynamic = 'force-static';

export const GET = () => new Response('ok\n', { headers: { 'content-type': 'text/plain' } });
