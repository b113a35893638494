import { db } from '@/lib/db/client';

/**
 * For tests: lets every statement fail that writes an order of this sale to be paid, in this file's own database.
 * @param sqlState what Postgres says; default: a trigger's own exception, which blames the order
 * @returns a function that takes it back
 */
export async function refuseOrders(saleId: string, sqlState = 'P0001'): Promise<() => Promise<void>> {
  const name = `refuse_${saleId}`;
  await db().$executeRawUnsafe(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.sale_id = '${saleId}' AND NEW.status = 'pending_payment' THEN
        RAISE EXCEPTION 'broken disk' USING ERRCODE = '${sqlState}';
      END IF;
      RETURN NEW;
    END $$`);
  await db().$executeRawUnsafe(
    `CREATE TRIGGER ${name} BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  );
  return async () => void (await db().$executeRawUnsafe(`DROP FUNCTION ${name} CASCADE`));
}
