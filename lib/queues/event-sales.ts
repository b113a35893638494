import 'server-only';
import { Prisma } from '@/prisma/generated/client';

/**
 * The ids of all sales that an event `e` of the executor names, as an array: in `saleId`, here or in any part of its
 * data, or in `saleIds`.
 */
export const EVENT_SALES = Prisma.sql`ARRAY(
  SELECT DISTINCT named #>> '{}' FROM (
    SELECT jsonb_path_query((e.payload->'data')::jsonb, '$.**.saleId') AS named
    UNION ALL SELECT jsonb_path_query((e.payload->'data')::jsonb, '$.**.saleIds[*]')
  ) AS ids)`;
