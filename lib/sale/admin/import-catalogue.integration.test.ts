import { afterAll, describe, expect, it } from 'vitest';
import { catalogueImport } from '@/lib/contract/shapes/catalogue';
import { closeDb, db } from '@/lib/db/client';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { newId } from '@/lib/ids/new-id';
import { archiveProduct } from '@/lib/product/admin/archive-product';
import { closeRedis } from '@/lib/redis/client';
import { makeMember } from '@/test/support/make-member';
import { makeUser } from '@/test/support/make-sale';
import { importCatalogue } from './import-catalogue';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HEAD = 'slug,name,sale,price,currency,stock,starts_at,ends_at';
const HOURS = '2030-01-31T10:00:00Z,2030-01-31T11:00:00Z';
const newSlug = () => newId('p').replaceAll('_', '-');
const file = (...lines: string[]) => catalogueImport.parse({ csv: [HEAD, ...lines].join('\n') });
const made = async (merchantId: string) => ({
  products: await db().product.count({ where: { merchantId } }),
  sales: await db().sale.count({ where: { merchantId, status: 'draft' } }),
});

describe('importCatalogue', () => {
  it('[O1] checks first, then makes products and drafts, and makes nothing twice', async () => {
    const merchant = await makeUser('merchant');
    const [lamp, cup] = [newSlug(), newSlug()];
    const asked = file(
      `${lamp},Lamp,Lamps,19.90,EUR,100,${HOURS}`,
      `${lamp},Lamp,More lamps,18,EUR,5,${HOURS}`,
      `${cup},Cup`,
    );
    const counts = { status: 'imported', products: 2, sales: 2, failed: 0, errors: [], isPartial: false };
    expect(await importCatalogue(merchant, { ...asked, isDryRun: true })).toEqual(counts);
    expect(await made(merchant.userId)).toEqual({ products: 0, sales: 0 });
    expect(await importCatalogue(merchant, asked)).toEqual(counts);
    expect(await made(merchant.userId)).toEqual({ products: 2, sales: 2 });
    expect(await importCatalogue(merchant, asked)).toEqual({ ...counts, products: 0 });
    expect(await made(merchant.userId)).toEqual({ products: 2, sales: 2 });
    // Nor does a colleague, after the marks of requests are gone.
    const colleague = await makeMember(merchant.userId, 'owner');
    await db().$executeRaw`DELETE FROM processed_messages WHERE consumer = 'admin-create'`;
    expect(await importCatalogue(colleague, asked)).toEqual({ ...counts, products: 0 });
    expect(await made(merchant.userId)).toEqual({ products: 2, sales: 2 });
    const actions = await db().auditEntry.findMany({
      where: { actorId: merchant.userId },
      orderBy: { id: 'asc' },
    });
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'product.create',
      'product.create',
      'sale.create',
      'sale.create',
    ]);
  });

  it('[O1] goes on where an import ended half-way', async () => {
    const merchant = await makeUser('merchant');
    const [lamp, cup] = [newSlug(), newSlug()];
    await importCatalogue(merchant, file(`${lamp},Lamp,Lamps,19.90,EUR,100,${HOURS}`));
    const whole = file(`${lamp},Lamp,Lamps,19.90,EUR,100,${HOURS}`, `${cup},Cup,Cups,5,EUR,1,${HOURS}`);
    expect(await importCatalogue(merchant, whole)).toMatchObject({ products: 1, sales: 2, failed: 0 });
    expect(await made(merchant.userId)).toEqual({ products: 2, sales: 2 });
  });

  it('[O1] says so when it ends half-way, because another shop takes an address meanwhile', async () => {
    const [merchant, other] = [await makeUser('merchant'), await makeUser('merchant')];
    const [lamp, cup] = [newSlug(), newSlug()];
    const [imported] = await db().$transaction(async (tx) => {
      await tx.product.create({
        data: { id: newId('prod'), slug: cup, name: 'Theirs', description: '', merchantId: other.userId },
      });
      const waiting = importCatalogue(merchant, file(`${lamp},Lamp`, `${cup},Cup`));
      await expect.poll(() => db().product.count({ where: { slug: lamp } })).toBe(1);
      return [waiting];
    });
    expect(await imported).toMatchObject({
      failed: 1,
      errors: [{ line: 3, column: 'slug', problem: 'taken' }],
      isPartial: true,
    });
  });

  it('[O1] makes nothing of a file with a wrong line, and names it; a product of another shop is one', async () => {
    const [merchant, other] = [await makeUser('merchant'), await makeUser('merchant')];
    const [lamp, theirs] = [newSlug(), newSlug()];
    await importCatalogue(other, file(`${theirs},Theirs`));
    const wrong = file(`${lamp},Lamp`, `${theirs},Mine`, `${newSlug()},Cup,Cups,free,EUR,1,${HOURS}`);
    expect(await importCatalogue(merchant, wrong)).toMatchObject({
      failed: 2,
      errors: [
        { line: 3, column: 'slug', problem: 'taken' },
        { line: 4, column: 'price', problem: 'invalid' },
      ],
      isPartial: false,
    });
    expect(await made(merchant.userId)).toEqual({ products: 0, sales: 0 });
    const many = file(...Array.from({ length: 150 }, (_, at) => `${lamp}-${at},`));
    const { failed, errors } = (await importCatalogue(merchant, many)) as {
      failed: number;
      errors: unknown[];
    };
    expect([failed, errors.length]).toEqual([150, 100]);
  });

  it('[O1] makes no sale of an archived product', async () => {
    const merchant = await makeUser('merchant');
    const [lamp, cup] = [newSlug(), newSlug()];
    await importCatalogue(merchant, file(`${lamp},Lamp`));
    const { id } = await db().product.findUniqueOrThrow({ where: { slug: lamp } });
    await archiveProduct(merchant, id);
    const asked = file(`${cup},Cup`, `${lamp},Lamp,Lamps,19.90,EUR,100,${HOURS}`);
    expect(await importCatalogue(merchant, asked)).toMatchObject({
      failed: 1,
      errors: [{ line: 3, column: 'slug', problem: 'archived' }],
    });
    expect(await made(merchant.userId)).toEqual({ products: 1, sales: 0 });
    expect(await importCatalogue(merchant, file(`${lamp},Lamp`))).toMatchObject({ failed: 0 });
  });

  it('[O1 N9] is for members who may change settings, into their own shops alone', async () => {
    const [merchant, other] = [await makeUser('merchant'), await makeUser('merchant')];
    const asked = { ...file(`${newSlug()},Lamp`), shopId: other.userId };
    await importCatalogue(other, file(`${newSlug()},Theirs`));
    expect(await importCatalogue(merchant, asked)).toEqual({ status: 'no_shop' });
    await expect(importCatalogue(await makeUser('support'), file('a,A'))).rejects.toThrow(NotAllowedError);
  });
});
