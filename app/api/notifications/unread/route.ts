import { routes } from '@/lib/api/routes';
import { servedUnread } from '@/lib/api/visit/count-unread';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(servedUnread);
