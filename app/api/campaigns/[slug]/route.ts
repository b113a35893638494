import { routes } from '@/lib/api/routes';
import { servedCampaign } from '@/lib/api/visit/read-campaign';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(servedCampaign);
