import { routes } from '@/lib/api/routes';
import { servedVisit } from '@/lib/api/visit/read-visit';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(servedVisit);
