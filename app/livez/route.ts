/** Alive as long as the process answers; asks nobody else. */
export const dynamic = 'force-static';

export const GET = () => new Response('ok\n', { headers: { 'content-type': 'text/plain' } });
